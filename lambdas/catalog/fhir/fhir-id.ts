/** A resource's logical id (R4, datatypes.html#id). */
export const fhirId = /^[A-Za-z0-9\-.]{1,64}$/;

/** Whether text from a URL is a valid resource ID. */
export function isFhirId(text: string): boolean {
  return fhirId.test(text);
}
