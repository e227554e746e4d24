/** Formats times for members, in English and Spanish. */

import type { Language } from '../../catalog/languages.ts';

/** Eastern time: the plans are in the District of Columbia and in Maryland. */
const timeZone = 'America/New_York';
const locales: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };

/**
 * Formats a time of day: `3:30 PM EST`.
 *
 * @param ms milliseconds since 1970
 */
export function timeOfDay(language: Language, ms: number): string {
  return format(language, ms, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
}

/**
 * Formats a day: `November 20, 2026`.
 *
 * @param ms milliseconds since 1970
 */
export function day(language: Language, ms: number): string {
  return format(language, ms, { dateStyle: 'long' });
}

/**
 * Formats day and time: `Nov 20, 2026, 3:30 PM`.
 *
 * @param ms milliseconds since 1970
 */
export function dayAndTime(language: Language, ms: number): string {
  return format(language, ms, { dateStyle: 'medium', timeStyle: 'short' });
}

function format(language: Language, ms: number, options: Intl.DateTimeFormatOptions): string {
  // Some releases of ICU write a narrow no-break space before AM, which not every font has.
  return new Intl.DateTimeFormat(locales[language], { timeZone, ...options })
    .format(ms)
    .replaceAll('\u202f', ' ');
}
