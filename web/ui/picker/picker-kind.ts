import type { ComponentType } from "react";

export type PickerRowProps<T> = { item: T; isSelected: boolean; isTouch: boolean };
export type PickerDetailsProps<T> = { item: T; isTouch: boolean };

/** How items of one kind are identified, found and drawn. Its components are drawn again only with another item. */
export type PickerKind<T> = {
  idOf: (item: T) => string;
  /** What a search looks through. */
  textOf: (item: T) => string;
  /** The heading an item stands under, null for none; items of one heading follow each other. */
  groupOf?: (item: T) => string | null;
  /** The accessible name, where the row's own words are not it. */
  nameOf?: (item: T) => string;
  /** What describes an item to those who see no card. */
  aboutOf?: (item: T) => string;
  /** True for an item that is shown and cannot be picked; its words say why. */
  isBarred?: (item: T) => boolean;
  /** What stands in a row, with its padding. */
  Row: ComponentType<PickerRowProps<T>>;
  /** A row's height in px, in the dropdown and in the drawer; in lists that are never long it may differ. */
  rowHeight: { desk: number; touch: number };
  /** What shows more of the highlighted item: a card beside the dropdown, and in the drawer unfolded below its row. */
  Details?: ComponentType<PickerDetailsProps<T>>;
  /** Of the dropdown in px, and of the card where it has another width than most; without a height it is as high as its rows, up to 320. */
  size: { width: number; height?: number; card?: number };
};
