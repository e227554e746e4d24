/** Selects the language of members' pages. */

import { type Language, languages, preferredLanguage } from '../../../catalog/languages.ts';
import { type Parameters, parameterOf } from '../../oauth/parameters.ts';

/** Sources of a page's language: the browser's and the application's. */
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
 * The language of a page: the one the member chose by the page's switch, else the one this sign-in began in, else the
 * application's wish (`ui_locales`, OpenID Connect Core section 3.1.2.1), else the browser's.
 *
 * @param begun the language the interaction began in.
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

/** Language chosen by the switch of a page: `?language=es`. */
export function languageChosen(query: Parameters): Language | undefined {
  const chosen = parameterOf(query, 'language');
  return languages.find((language) => language === chosen);
}

/**
 * Remembers the choice: it holds no secret, and says nothing about who chose. `Lax`: an application's link leads to a page in that
 * language.
 */
export function languageCookie(language: Language): string {
  return `${cookieName}=${language}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${rememberedSeconds}`;
}

const longestHeader = 500;

/** Language tags of the header, the most wanted first; of equal ones the first. */
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
