/** Selects the language of members' pages. */

import { type Language, languages, preferredLanguage } from '../../../catalog/languages.ts';
import { type Parameters, parameterOf } from '../../oauth/parameters.ts';

/** The parts of a request that determine a page's language. */
export interface LanguageSource {
  readonly query: Parameters;
  readonly form: Parameters;
  readonly cookies: ReadonlyMap<string, string>;
  /** The `Accept-Language` header (RFC 9110 section 12.5.4). */
  readonly acceptLanguage: string | undefined;
}

const cookieName = '__Host-language';
const rememberedSeconds = 365 * 24 * 60 * 60;

/**
 * The language of a page: the one that the member chose with the language switch, now or before; otherwise the language in which the
 * interaction began, the application's `ui_locales` (OpenID Connect Core section 3.1.2.1), or the browser's, in this order.
 *
 * @param begun the language in which the interaction began.
 */
export function languageOf(source: LanguageSource, begun?: Language): Language {
  const { query, form, cookies, acceptLanguage } = source;
  const remembered = preferredLanguage([cookies.get(cookieName) ?? '']);
  const wish = parameterOf(query, 'ui_locales') ?? parameterOf(form, 'ui_locales') ?? '';
  return (
    languageChosen(query) ??
    remembered ??
    begun ??
    preferredLanguage(wish.split(' ')) ??
    preferredLanguage(byWeight(acceptLanguage ?? '')) ??
    languages[0]
  );
}

/** The language chosen with a page's switch: `?language=es`. */
export function languageChosen(query: Parameters): Language | undefined {
  const chosen = parameterOf(query, 'language');
  return languages.find((language) => language === chosen);
}

/**
 * The cookie that remembers the chosen language. It holds nothing about the member. `Lax`, so that a page reached by an application's link
 * is in that language.
 */
export function languageCookie(language: Language): string {
  return `${cookieName}=${language}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${rememberedSeconds}`;
}

const longestHeader = 500;

/** The language tags of the header by weight (`q`), highest first; equal weights keep their order. */
function byWeight(header: string): readonly string[] {
  return header
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';');
      const weight = parameters.map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1]).find(Boolean);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
