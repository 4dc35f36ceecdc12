import { Monogram } from "#web/ui/monogram.tsx";

type ModelTileProps = { id: string; name: string; size?: 18 | 28 };

/** A model's tile: its own initial, in the hue that all models of its maker share. Decorative; the name stands beside it. */
export function ModelTile({ id, name, size = 18 }: ModelTileProps) {
  return <Monogram name={name} hue={makerOf(id)} size={size} />;
}

function makerOf(id: string): string {
  return id.split(/[/:]/)[0]?.replace(/^~/, "") ?? id;
}
