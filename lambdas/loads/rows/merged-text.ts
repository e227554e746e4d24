/**
 * Replaces every reference to one Patient by a reference to another, in the JSON of a resource or of its search values. Only a whole quoted
 * text `Patient/<id>` is a reference.
 */
export function mergedText(json: string, patientId: string, intoPatientId: string): string {
  return json.replaceAll(`"Patient/${patientId}"`, `"Patient/${intoPatientId}"`);
}
