// Owns the figure: one measured number.

export interface Figure {
  /** Its ceiling or floor stands under this name in `ceilings.json`. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note: string;
}
