const instant =
  /^(?!0000)(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/;

/**
 * Whether a text is a FHIR `instant` (R4, datatypes.html#instant). Leap seconds are not accepted, because `Date` does not support them.
 * Searches by `_lastUpdated` and `_since` refuse any other text.
 */
export function isFhirInstant(text: string): boolean {
  const [, day] = instant.exec(text) ?? [];
  if (day === undefined) return false;
  // Compares the parsed day with the text, because `Date` reads February 30 as March 2.
  const start = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
}
