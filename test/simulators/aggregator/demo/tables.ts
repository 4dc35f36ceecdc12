const tables = [
  `### Three ways to cross the city

| | Bicycle | Tram | Car |
|---|---:|---:|---:|
| Door to door, 6 km | 22 min | 27 min | 24 min |
| A month, at 40 trips | €18 | €49 | €212 |
| Cost of one trip | €0.45 | €1.23 | €5.30 |
| CO₂ of one trip | 0 g | 210 g | 960 g |
| **In rain** | wet | **dry** | **dry** |

The car is never the quickest here and costs **4.3 times** the tram. Between the other two the weather decides:

1. Keep the tram ticket from November to March.
2. Ride from April on.
   - A good lock costs €70 once.
   - Mudguards are worth more than a rain jacket.`,
  `### Where to keep what

| Store | Read | Write | Size of a row | Good for |
|:--|--:|--:|--:|:--|
| Memory | 0.1 µs | 0.1 µs | any | what may be lost |
| SQLite | 12 µs | 0.4 ms | 2 MB | one writer, many readers |
| Object store | 28 ms | 61 ms | 5 TB | files, backups |
| Queue | n/a | 9 ms | 128 KB | work for later |

> Choose by what must survive a power cut, not by speed. All four are quick enough until they are not.

- **Start** with SQLite.
- **Add** the object store when a row passes a few hundred kilobytes.
- **Add** the queue when someone waits for work that could be done later.`,
  `### Two offers, over three years

| | Offer A | Offer B |
|---|---:|---:|
| First year | €17,760 | €18,720 |
| Second year | €19,920 | €18,720 |
| Third year | €20,280 | €18,720 |
| **Sum** | **€57,960** | **€56,160** |

Offer B begins dearer and is ahead from month 22 on; after three years it costs **€1,800 less**. ~~A looks cheaper~~ A *is* cheaper only if you leave within the first 21 months.`,
];

/** A comparison as a table with numbers, one of several by `variant`. */
export function tableAnswer(variant: number): string {
  return tables[variant % tables.length] ?? "";
}
