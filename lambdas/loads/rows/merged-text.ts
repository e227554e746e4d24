/**
 * A resource's or its search values' JSON in which every reference to one Patient leads to another. Only whole texts
 * `Patient/<id>` are references; they stand in quotes.
 */
export function mergedText(json: string, patientId: string, intoPatientId: string): string {
  return json.replaceAll(`"Patient/${patientId}"`, `"Patient/${intoPatientId}"`);
}
