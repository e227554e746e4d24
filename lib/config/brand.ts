/** The plan's brand on members' pages (sign-in, consent, connected apps, Find a doctor), to be set by the platform team. */

import type { BrandInput } from './brand-configuration.ts';

/**
 * Undefined: neutral colors, and no name but the line of business. Example, with a logo in this folder:
 *
 *     { name: 'Example Health Plan', logo: 'logo.svg', colors: {
 *       light: { action: '#5b2a86', onAction: '#ffffff' }, dark: { action: '#d4b3f0', onAction: '#241033' } } }
 */
export const brand: BrandInput | undefined = undefined;
