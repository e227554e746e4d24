/** The primary key of an item of a single table. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}
