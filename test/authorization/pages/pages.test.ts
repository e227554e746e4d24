import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guidePages } from '../../../lambdas/authorization/oauth/paths.ts';
import {
  activationCodePage,
  activationPasswordPage,
  detailsPage,
} from '../../../lambdas/authorization/pages/activation-pages.ts';
import { codePage } from '../../../lambdas/authorization/pages/code-page.ts';
import {
  type ConnectedAppView,
  connectedAppsPage,
  historyPage,
  stopSharingPage,
} from '../../../lambdas/authorization/pages/connected-apps-page.ts';
import { type ConsentPage, consentPage } from '../../../lambdas/authorization/pages/consent-page.ts';
import { continuePage } from '../../../lambdas/authorization/pages/continue-page.ts';
import { guidePage } from '../../../lambdas/authorization/pages/guide-page.ts';
import { messagePage } from '../../../lambdas/authorization/pages/message-page.ts';
import { planFormPage, stopPlanPage } from '../../../lambdas/authorization/pages/other-plans-page.ts';
import { patientPage } from '../../../lambdas/authorization/pages/patient-page.ts';
import { type SignInError, signInPage } from '../../../lambdas/authorization/pages/sign-in-page.ts';
import { english } from '../../../lambdas/authorization/pages/words/english.ts';
import type { MessageReason, PlanFormFault } from '../../../lambdas/authorization/pages/words/strings.ts';
import { pageText } from '../../../lambdas/authorization/pages/words/words.ts';
import { dataGroups } from '../../../lambdas/catalog/fhir/data-groups.ts';
import { type Language, languages } from '../../../lambdas/catalog/languages.ts';
import { type ExchangeState, exchangeStates } from '../../../lambdas/catalog/payer/exchange-states.ts';
import type { MemberExchange } from '../../../lambdas/payer-exchange/exchange/exchange-contract.ts';
import { expectAccessible } from '../../support/accessible-page.ts';
import { openChromium } from '../../support/chromium.ts';

const application = {
  name: 'Steps Health',
  host: 'app.example.com',
  privacyUri: 'https://app.example.com/privacy',
  termsOfServiceUri: 'https://app.example.com/terms',
  contactEmail: 'help@app.example.com',
  attested: true,
};
const hidden = { lob: 'DSNP', handle: 'handle', formToken: 'token' } as const;
const now = Date.UTC(2026, 10, 20, 20, 0);

function signIn(error?: SignInError, language: Language = 'en', keep = false): string {
  return signInPage({ ...hidden, language, application, keep, ...(error !== undefined && { error }) });
}

function consent(changes: Partial<typeof application> = {}, also: Partial<ConsentPage> = {}): string {
  return consentPage({
    ...hidden,
    language: 'en',
    application: { ...application, ...changes },
    groups: dataGroups.slice(0, 1),
    identity: true,
    member: { sub: 'sub-1', patientId: 'patient-1', displayName: 'Rosa Ejemplo' },
    lasting: false,
    accessSeconds: 1_800,
    now,
    ...also,
  });
}

const representative = { representativeId: 'R2001', name: 'Mia Ejemplo', role: 'MTH' } as const;
const child = { patientId: 'patient-2', displayName: 'Rosa Ejemplo', birthYear: '2019', representative };
const patients = [
  { patientId: 'patient-1', displayName: 'Mia Ejemplo' },
  child,
  { ...child, patientId: 'patient-3', birthYear: '2021' },
];
const provider = { label: { en: 'Plan Portal', es: 'Portal del plan' }, localAccounts: true };

const member = { ...hidden, memberName: 'Rosa Ejemplo' };

function connectedApps(language: Language, states: readonly ExchangeState[] = []): string {
  const app = {
    clientId: 'client-1',
    name: 'Steps Health',
    host: 'app.example.com',
    openAt: 'https://app.example.com/login?iss=https%3A%2F%2Fauth.example.org',
    groups: dataGroups,
    since: now - 86_400_000,
    lastAccess: now,
    endsAt: now + 86_400_000,
    sharedBy: [],
    isPayers: false,
  };
  const unknown = { ...app, clientId: 'client-2', name: undefined, host: undefined, openAt: undefined };
  const apps: ConnectedAppView[] = [
    app,
    { ...unknown, lastAccess: 'never' },
    { ...unknown, clientId: 'client-3', name: 'Former Plan', isPayers: true, lastAccess: 'never' },
    { ...unknown, lastAccess: { notSince: now - 3_600_000 } },
  ];
  return connectedAppsPage({
    ...{ ...member, language, apps, stopped: { name: 'Walks', openAt: app.openAt } },
    plans: states.map((state) => ({
      exchange: exchangeIn(state),
      patient: state === 'merged' ? { patientId: 'p-1', name: 'Mia Ejemplo' } : undefined,
    })),
    patients: [undefined, { patientId: 'p-1', name: 'Mia Ejemplo' }],
    saved: exchangeIn('revoked'),
  });
}

const nothingShared = { apps: [], stopped: undefined, plans: [], patients: [undefined], saved: undefined };

/** An exchange with all that a card can show. */
function exchangeIn(state: ExchangeState): MemberExchange {
  const at = new Date(now).toISOString();
  return {
    ...{ lob: 'DSNP', patientId: 'p-1', exchangeId: `exchange-${state}`, state, isConcurrent: true },
    plan: { name: 'Former Health Plan', memberNumber: 'F-100 200', groupNumber: 'G7' },
    permission: { givenAt: at, by: { kind: 'member', id: 'sub' }, policy: 'regular', until: at },
    ...{ nextAt: at, dueAt: at, received: { at, since: at, resources: 1234 }, changedAt: at, version: 3 },
  };
}

function planForm(language: Language, state?: ExchangeState): string {
  const exchange = state && exchangeIn(state);
  const faults = exchange === undefined ? planFaults : [];
  const covers = exchange && ('yes' as const);
  const typed = {
    name: '',
    memberNumber: '?',
    groupNumber: '',
    covers,
    scope: undefined,
    until: '2020-01-01',
  };
  return planFormPage({
    ...{ ...member, language, exchangeId: 'exchange-1', exchange, typed, faults },
    patient: { patientId: 'p-1', name: 'Mia Ejemplo' },
  });
}

const planFaults = Object.keys(pageText.en.otherPlans.errors) as PlanFormFault[];

function stopSharing(language: Language): string {
  const app = {
    clientId: 'client-1',
    name: 'Steps Health',
    patient: { patientId: 'p-1', name: 'Rosa Ejemplo' },
  };
  return stopSharingPage({ ...member, language, app });
}

function history(language: Language, isAll = false): string {
  const accesses = Array.from({ length: 20 }, (_, index) => ({
    time: now - index * 3_600_000,
    kind: index % 2 === 0 ? ('given' as const) : ('received' as const),
    name: index < 10 ? 'Steps Health' : undefined,
    got: dataGroups
      .slice(0, (index % 3) + 1)
      .map((group) => ({ group, resourceType: 'Patient', records: index * 7 })),
  }));
  const app = { clientId: 'client-1', name: 'Steps Health' };
  const next = '2026-11-20T20:00:00.000Z#id';
  return historyPage({
    ...member,
    language,
    app: isAll ? undefined : app,
    patient: undefined,
    accesses,
    next,
  });
}

const address = '/fhir-oauth2/federation/dsnp/start?interaction=handle';
const refresh = /<meta http-equiv="refresh"[^>]*>/;

/** Every page in one language. */
function pagesIn(language: Language): readonly [string, () => string][] {
  const code = { ...hidden, language, destination: 'r•••@example.com' };
  return [
    ['sign-in', () => signIn(undefined, language)],
    ['sign-in refused', () => signIn('refused', language)],
    ['sign-in incomplete', () => signIn('incomplete', language)],
    ['sign-in refused, to be kept', () => signIn('refused', language, true)],
    ['sign-in for the connected apps', () => signInPage({ ...hidden, language, application: undefined })],
    ['sign-in locked', () => signIn({ lockedSeconds: 64 }, language)],
    ['sign-in beside an identity provider', () => signInPage({ ...hidden, language, application, provider })],
    [
      'continue to an identity provider',
      // This page redirects at once; without its redirect a screenshot is possible.
      () => continuePage({ language, lob: 'DSNP', provider: 'Plan Portal', address }).replace(refresh, ''),
    ],
    ['activation', () => detailsPage({ ...hidden, language, missing: [] })],
    [
      'activation, incomplete',
      () => detailsPage({ ...hidden, language, missing: ['memberId', 'birthDate', 'postalCode'] }),
    ],
    ['activation code', () => activationCodePage({ ...hidden, language, error: undefined })],
    ['activation code, wrong', () => activationCodePage({ ...hidden, language, error: 'wrong' })],
    [
      'activation password',
      () => activationPasswordPage({ ...hidden, language, memberId: 'DSNP12345678', error: undefined }),
    ],
    ['patient', () => patientPage({ ...hidden, language, application, patients })],
    [
      'patient, none selected',
      () => patientPage({ ...hidden, language, application, patients, error: 'missing' }),
    ],
    [
      'consent of a representative',
      () => consent({}, { language, groups: dataGroups, member: { sub: 'sub-1', ...child } }),
    ],
    ['code', () => codePage(code)],
    ['code, wrong', () => codePage({ ...code, error: 'wrong' })],
    ['consent', () => consent({}, { language })],
    [
      'consent, not attested, with a very long name',
      () => consent({ attested: false, name: 'W'.repeat(120) }, { language }),
    ],
    ['consent to choose', () => consent({}, { language, groups: dataGroups, lasting: true })],
    ['consent with nothing chosen', () => consent({}, { language, groups: dataGroups, nothingChosen: true })],
    ['stop sharing', () => stopSharing(language)],
    ['connected apps', () => connectedApps(language)],
    ['plans in each state', () => connectedApps(language, exchangeStates.slice(0, 3))],
    ['plans in the next states', () => connectedApps(language, exchangeStates.slice(3, 6))],
    ['plans in further states', () => connectedApps(language, exchangeStates.slice(6, 9))],
    ['plans in the last states', () => connectedApps(language, exchangeStates.slice(9))],
    ['no connected apps', () => connectedAppsPage({ ...member, language, ...nothingShared })],
    ['history', () => history(language)],
    ['all history', () => history(language, true)],
    ['plan form, empty', () => planForm(language)],
    ['plan form, no match', () => planForm(language, 'no-match')],
    ['plan form, in a run', () => planForm(language, 'match-sent')],
    [
      'stop a plan',
      () => stopPlanPage({ ...member, language, exchange: exchangeIn('merged'), patient: undefined }),
    ],
    ...guidePages.map((page) => [page, () => guidePage('DSNP', page, language)] as [string, () => string]),
    ['message', () => messagePage(400, 'redirect_uri_unregistered', language).html],
  ];
}

const pages = languages.flatMap((language) =>
  pagesIn(language).map(([name, page]) => [`${name} (${language})`, page] as const),
);

describe('the sign-in page', () => {
  it('keeps nobody signed in who did not ask for it', () => {
    const box = (page: string) => /<input type="checkbox"[^>]*>/.exec(page)?.[0];
    expect(box(signIn())).toBe(
      '<input type="checkbox" id="keep" name="keep" value="yes" aria-describedby="about-keep">',
    );
    expect(box(signIn('refused', 'es', true))).toContain(' checked>');
    expect(
      box(signInPage({ ...hidden, language: 'en', application: undefined, keep: true })),
    ).toBeUndefined();
  });
});

describe('the consent page', () => {
  it('tells the end in the members’ own time', () => {
    expect(consent()).toContain(
      'The app has access for 30 minutes after you agree, until about 3:30 PM EST.',
    );
    const lasting = consent({}, { lasting: true, accessSeconds: 395 * 86_400 });
    expect(lasting).toContain('The app has access until about December 20, 2027, unless you stop it sooner.');
    expect(lasting).not.toContain('minutes');
  });

  it('has a box for each group only where there is a choice, and leaves what is sensitive unticked', () => {
    expect(consent()).not.toContain('checkbox');
    const boxes = [...consent({}, { groups: dataGroups }).matchAll(/<input type="checkbox"[^>]*>/g)];
    const ticked = boxes.map(([box]) => [/value="([^"]+)"/.exec(box)?.[1], box.includes(' checked')]);
    expect(ticked).toEqual(dataGroups.map(({ id, sensitive }) => [id, !sensitive]));
    expect(dataGroups.some(({ sensitive }) => sensitive)).toBe(true);
  });
});

it.each(
  Object.keys(english.messages) as MessageReason[],
)('the message %s is a page with one heading', (reason) => {
  const page = messagePage(400, reason).html;
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page).not.toMatch(/<form|<a |undefined/);
  expect(page).toContain('<details lang="es">');
});

it.each(pages)('%s is under 15 KB', (_name, page) => {
  expect(Buffer.byteLength(page())).toBeLessThan(15_000);
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function show(html: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    await page.setContent(html);
    return page;
  }

  it.each(
    pages,
  )('%s has nothing against WCAG 2.2 AA on a laptop and a phone, and needs no sideways scrolling', async (name, html) => {
    const page = await show(html());
    await expectAccessible(page, name);
    await page.close();
  });

  it('asks whose data is shared by radio buttons that a keyboard reaches', async () => {
    const page = await show(patientPage({ ...hidden, language: 'en', application, patients }));
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByLabel('Mia Ejemplo (you)').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByLabel('Rosa Ejemplo, born in 2019').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Continue');
    await page.close();
  });

  it('gives both answers the same weight', async () => {
    const page = await show(consent());
    const boxes = await Promise.all(
      ['Share my data', "Don't share"].map(async (name) => {
        const button = page.getByRole('button', { name, exact: true });
        const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 };
        const colour = await button.evaluate('(element) => getComputedStyle(element).backgroundColor');
        return { width, height, colour };
      }),
    );
    expect(boxes[0]).toEqual(boxes[1]);
    expect(boxes[0]?.height).toBeGreaterThanOrEqual(44);
    await page.close();
  });

  it('has the labels a person looks for', async () => {
    const page = await show(signIn());
    for (const label of ['Member ID or e-mail', 'Password']) {
      await expect.poll(() => page.getByLabel(label, { exact: true }).count()).toBe(1);
    }
    await expect.poll(() => page.getByRole('button', { name: 'Sign in', exact: true }).count()).toBe(1);
    const keep = page.getByLabel('Keep me signed in on this browser for 15 minutes', { exact: true });
    await expect.poll(() => keep.isChecked()).toBe(false);
    // The label can be clicked, and the checkbox can be set by the keyboard.
    await page.getByText('Keep me signed in').click();
    await expect.poll(() => keep.isChecked()).toBe(true);
    await keep.press('Space');
    await expect.poll(() => keep.isChecked()).toBe(false);
    expect((await keep.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await page.close();
  });
});
