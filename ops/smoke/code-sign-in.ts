/** Checks that a verification code arrives by e-mail and by text message: a synthetic member signs in. */

import { type Browser, createBrowser, type Location } from '../demo/browser.ts';
import { authorizationRequestUrl } from '../demo/consent.ts';
import { expectEqual, Unexpected } from '../demo/expect.ts';
import { randomText, redirectUri, registerApp, type Scene } from '../demo/scene.ts';
import {
  demographicsOf,
  patientLoad,
  type SyntheticMember,
  syntheticPassword,
  syntheticPerson,
} from '../generator/members.ts';
import { pseudoRandom } from '../generator/record/pseudo-random.ts';
import type { HtmlPage } from '../http/html-page.ts';
import { NotApplicable, type Smoke, type SmokeCheck, smokeApp } from './check.ts';
import { loadSyntheticMembers } from './load-members.ts';

/** Failed sign-ins after which a member must enter a code (`memberVerification`: risk). */
const failures = 3;
/** Time after which another code may be requested, with a second for the clocks. */
const betweenCodesMs = 61_000;

const pageWords = {
  codeTitle: 'Enter the code we sent you',
  byText: 'Send a new code by text message',
  share: 'Share my data',
} as const;

/** The check of codes by e-mail and, a minute later, by text message. */
export const messagesCheck: SmokeCheck = {
  id: 'messages',
  writes: true,
  async run(smoke) {
    const { email, phone } = smoke.recipient;
    if (email === undefined) {
      throw new NotApplicable('Give --mail with an address that you read, and --phone with your number.');
    }
    return await signInByCode(smoke, email, phone);
  },
};

/** A fictitious number, to which nothing is sent. */
const unusedPhone = '+12025550198';

/** Signs in as a member with this contact; returns what was seen. */
async function signInByCode(smoke: Smoke, email: string, phone: string | undefined): Promise<string> {
  const { recipient, pause } = smoke;
  const scene = smoke.scene(smoke.lob);
  const member = codeMember(scene, email, phone ?? unusedPhone);
  await loadSyntheticMembers(smoke.ops, scene.environment, [member]);
  const { clientId } = await registerApp(scene, smokeApp);
  const browser = createBrowser(scene.transcript.http, redirectUri);
  const asked = { ...smokeApp, clientId, scope: 'openid', path: `${scene.lob.toLowerCase()}/authorize` };
  const open = () => browser.open(authorizationRequestUrl(scene, asked, randomText()));
  scene.transcript.mask.add(member.password);
  const byMail = await openCodePage(browser, open, member);
  const mailed = await recipient.codeSentTo(email);
  const mail = `e-mail to ${destinationOn(byMail)}: ${arrival(mailed)}`;
  if (phone === undefined) {
    await enterCode(browser, byMail, mailed);
    return `${mail}; no text message: give --phone with your number.`;
  }
  await pause(betweenCodesMs);
  const byText = await browser.submit(byMail, {}, pageWords.byText);
  expectEqual('the page after the request of a text message', titleOf(byText), pageWords.codeTitle);
  const texted = await recipient.codeSentTo(phone);
  await enterCode(browser, byText, texted);
  return `${mail}; text message to ${destinationOn(byText)}: ${arrival(texted)}.`;
}

/** Fails to sign in until the environment asks for a code. */
async function openCodePage(
  browser: Browser,
  open: () => Promise<Location>,
  { memberId, password }: SyntheticMember,
): Promise<Location> {
  const signIn = async (page: Location, secret: string) =>
    await browser.submit(page, { 'Member ID or e-mail': memberId, Password: secret }, 'Sign in');
  let page = await signIn(await open(), password);
  if (titleOf(page) === pageWords.codeTitle) return page;
  page = await open();
  for (let count = 0; count < failures; count += 1) page = await signIn(page, `not-${password}`);
  page = await signIn(page, password);
  if (titleOf(page) === pageWords.codeTitle) return page;
  if (page.kind === 'page' && isConsentPage(page.page)) {
    throw new NotApplicable('The environment asks for no code: memberVerification is never.');
  }
  throw new Unexpected('the page after failed sign-ins', pageWords.codeTitle, titleOf(page));
}

/** Enters a code that arrived; without one the sign-in ends here. */
async function enterCode(browser: Browser, page: Location, code: string | undefined): Promise<void> {
  if (code === undefined) return;
  const next = await browser.submit(page, { '6-digit code': code }, 'Continue');
  if (next.kind !== 'page' || !isConsentPage(next.page)) {
    throw new Unexpected('the page after the code', 'the consent page', titleOf(next));
  }
}

function arrival(code: string | undefined): string {
  return code === undefined
    ? 'AWS accepted it, and nobody confirmed that it arrived, because there is no terminal'
    : 'arrived';
}

function destinationOn(at: Location): string {
  const text = at.kind === 'page' ? at.page.text : '';
  return /We sent a code to (.+?)\. /.exec(text)?.[1] ?? 'the member';
}

function isConsentPage(page: HtmlPage): boolean {
  return page.forms.some(({ buttons }) => buttons.some(({ text }) => text === pageWords.share));
}

function titleOf(at: Location): string {
  return at.kind === 'page' ? (at.page.headings[0] ?? at.page.title) : at.url;
}

/** The member who signs in: the same in each run, with a password that is a public test credential. */
function codeMember({ environment, lob }: Scene, email: string, phone: string): SyntheticMember {
  const seed = `member-data-api/smoke/${environment}/${lob}`;
  const random = pseudoRandom(seed);
  const traits = { birthDate: 'whole', addresses: 'open', enrolments: 1 } as const;
  const known = syntheticPerson(random, lob, traits);
  const demographics = demographicsOf(pseudoRandom(`${seed}/demographics`), 1, { phone, email });
  return {
    lob,
    patientId: known.patientId,
    memberId: known.memberId,
    email,
    phoneNumber: phone,
    givenName: known.givenNames[0] ?? '',
    familyName: known.familyName,
    password: syntheticPassword(random),
    resources: [patientLoad({ ...known, demographics })],
  };
}
