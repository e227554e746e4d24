/** R4, datatypes.html#id. */
const pattern = /^[A-Za-z0-9\-.]{1,64}$/;

/** Whether a text of a URL could be a resource's id at all. */
export function isFhirId(text: string): boolean {
  return pattern.test(text);
}
