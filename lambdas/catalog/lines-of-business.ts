/** The six lines of business (LOB) whose members' data this service shares. Source: docs/service.md S1.3. */
export const linesOfBusiness = {
  CHPDC: { name: 'Community Health Plan, District (Medicaid)', providerDirectory: true },
  CHPMD: { name: 'Community Health Plan, State (Medicaid)', providerDirectory: true },
  DSNP: { name: 'Medicare Advantage Dual-Eligible Special Needs Plan', providerDirectory: true },
  MAPD: { name: 'Medicare Advantage Plan', providerDirectory: true },
  MHBE: { name: 'State Health Benefits Exchange Plan', providerDirectory: false },
  EGWP: { name: 'Employer Group Waiver Plan', providerDirectory: true },
} as const;

/** A LOB's code in uppercase, as in Patient resources and table keys. */
export type LineOfBusiness = keyof typeof linesOfBusiness;

export const lineOfBusinessCodes = Object.keys(linesOfBusiness) as readonly LineOfBusiness[];

/**
 * Reads a LOB code in a path, in lowercase or uppercase (docs/service.md S1.4). Mixed case is refused, so that logs and caches have two
 * spellings of a code and not 32.
 *
 * @returns the code in uppercase, or undefined if the text is no LOB code.
 */
export function parseLineOfBusiness(text: string): LineOfBusiness | undefined {
  const code = text.toUpperCase();
  if (text !== code && text !== text.toLowerCase()) return undefined;
  return lineOfBusinessCodes.find((known) => known === code);
}
