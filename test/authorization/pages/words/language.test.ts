import { describe, expect, it } from 'vitest';
import { languageCookie, languageOf } from '../../../../lambdas/authorization/pages/words/language.ts';
import type { Language } from '../../../../lambdas/catalog/languages.ts';

interface Said {
  readonly chosen?: string;
  readonly cookie?: string;
  readonly wish?: string;
  readonly header?: string;
  readonly begun?: Language;
}

function language({ chosen, cookie, wish, header, begun }: Said): Language {
  const query = new Map<string, string[]>();
  if (chosen !== undefined) query.set('language', [chosen]);
  if (wish !== undefined) query.set('ui_locales', [wish]);
  const cookies = new Map(cookie === undefined ? [] : [['__Host-language', cookie]]);
  return languageOf({ query, form: new Map(), cookies, acceptLanguage: header }, begun);
}

describe('the language of a page', () => {
  const cases: readonly [Said, Language][] = [
    [{}, 'en'],
    [{ header: 'es' }, 'es'],
    [{ header: 'es-US,es;q=0.9,en;q=0.8' }, 'es'],
    [{ header: 'fr-FR, es;q=0.3, en;q=0.7' }, 'en'],
    [{ header: 'fr, es;q=0, en;q=0.1' }, 'en'],
    [{ header: 'fr, *' }, 'en'],
    [{ header: ';q=,,=;' }, 'en'],
    [{ header: 'est' }, 'en'],
    [{ wish: 'es-MX', header: 'en' }, 'es'],
    [{ wish: 'fr de es', header: 'en' }, 'es'],
    [{ wish: 'fr', header: 'es' }, 'es'],
    [{ wish: 'es', begun: 'en' }, 'en'],
    [{ cookie: 'es', wish: 'en', begun: 'en', header: 'en' }, 'es'],
    [{ cookie: 'xx', header: 'es' }, 'es'],
    [{ chosen: 'en', cookie: 'es', wish: 'es' }, 'en'],
    [{ chosen: 'EN-us', cookie: 'es' }, 'es'],
  ];

  it.each(cases)('of %j is %s', (said, expected) => {
    expect(language(said)).toBe(expected);
  });

  it('is remembered in a cookie that no other host can set and no script read', () => {
    expect(languageCookie('es')).toBe(
      '__Host-language=es; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000',
    );
  });
});
