import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { interfaces } from '../../lambdas/catalog/fhir/interfaces.ts';
import { beginSignInCode, endedSessionCookies, knowBrowser } from '../../lambdas/portal/accounts/sessions.ts';
import { portalCookies } from '../../lambdas/portal/catalog/cookie-uses.ts';
import { markedSignedIn, unmarkedSignedIn } from '../../lambdas/portal/catalog/cookies.ts';
import { siteFiles } from './site-files.ts';

/** Compares statements of the public pages about the service to the tables and the code. */

let directory: string;
beforeAll(async () => {
  directory = await siteFiles();
});

/** The text of a page, with a space between elements. */
function words(path: string): string {
  const html = readFileSync(join(directory, path, 'index.html'), 'utf8');
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('the privacy page', () => {
  it('names every cookie, what it does and how long it is kept', () => {
    const text = words('privacy');
    expect(text).toContain(`The portal sets ${Object.keys(portalCookies).length} first-party cookies`);
    for (const [name, { purpose }] of Object.entries(portalCookies)) {
      const [, after = ''] = text.split(` ${name} `);
      expect(after.toLowerCase().startsWith(purpose.toLowerCase())).toBe(true);
    }
    expect(text).toMatch(/__Host-session \S.*? When you sign out or close the browser/);
    expect(text).toMatch(/__Host-sign-in \S[^_]* 10 minutes/);
    expect(text).toMatch(/__Host-browser \S[^_]* 180 days/);
  });

  it('says how long a cookie is kept as the API sets it', async () => {
    const services = {
      sessions: { begin: async () => {}, knowBrowser: async () => {} },
      random: { token: () => 'a'.repeat(43) },
      sha256Hex: () => 'digest',
      now: () => 0,
    } as never;
    const account = { accountId: 'account-1', sessionEpoch: 1 } as never;
    const set = [
      markedSignedIn,
      unmarkedSignedIn,
      ...endedSessionCookies,
      await beginSignInCode(services, account, 'developer'),
      await knowBrowser(services, 'account-1'),
    ];
    const kept = new Map(
      set
        .filter((cookie) => !cookie.includes('Max-Age=0'))
        .map((cookie) => [cookie.split('=')[0], Number(/Max-Age=(\d+)/.exec(cookie)?.[1])]),
    );
    expect(kept).toEqual(
      new Map([
        ['__Host-signed-in', Number.NaN],
        ['__Host-sign-in', 600],
        ['__Host-browser', 15_552_000],
      ]),
    );
    for (const cookie of set) expect(Object.keys(portalCookies)).toContain(cookie.split('=')[0]);
  });
});

describe('the home page', () => {
  it('says what of a member can be read, and which interfaces serve their metadata only', () => {
    const text = words('');
    const [, patientAccess = '', payerAccess = '', directoryCard = ''] = text.split(
      /(?<=Three interfaces.*) (?:Patient Access|Payer Access|Provider Directory) /,
    );
    expect(patientAccess).toContain('details, coverage, claims, visits and care');
    for (const type of patientAccessTypes) expect(patientAccess).toContain(type);
    for (const [name, card] of [
      ['payer-access', payerAccess],
      ['provider-directory', directoryCard],
    ] as const) {
      const offered = fhirRoutes.some((route) => route.interface === name && route.access !== 'public');
      expect(card.split(' Four steps to production')[0]?.includes('Only metadata is available')).toBe(
        !offered,
      );
    }
    expect(interfaces['patient-access'].name).toBe('Patient Access');
  });
});
