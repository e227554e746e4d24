/** A resource of a patient's compartment by its type and logical id. */
export interface ResourceName {
  readonly resourceType: string;
  readonly id: string;
}

/** Formats a relative reference: `Coverage/<id>` (R4, references.html#literal). */
export function nameOf({ resourceType, id }: ResourceName): string {
  return `${resourceType}/${id}`;
}
