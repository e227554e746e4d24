import { type EnvironmentOrigins, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { dataGroups } from '../../lambdas/catalog/fhir/data-groups.ts';
import type { Credentials } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { createBrowser, type Location } from '../../ops/demo/browser.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import type { Http } from '../../ops/http/client.ts';

/** The checkboxes of sensitive groups on a consent page, all selected, so that the member shares everything requested. */
export function sensitiveBoxes(consent: Location): Record<string, string> {
  const text = consent.kind === 'page' ? consent.page.text : '';
  const names = dataGroups.filter(({ sensitive }) => sensitive).map(({ words }) => words.en.name);
  return Object.fromEntries(names.filter((name) => text.includes(name)).map((name) => [name, 'on']));
}

/**
 * Obtains a member's access token in the fewest steps: an app without PKCE requests `openid`, the member signs in and shares, and the app
 * redeems the code with its secret.
 *
 * @throws Error if a step is not answered as expected.
 */
export async function memberToken(
  http: Http,
  origins: EnvironmentOrigins,
  member: SyntheticMember,
  app: Pick<Required<Credentials>, 'clientId' | 'clientSecret'>,
  redirectUri: string,
): Promise<string> {
  const lob = member.lob.toLowerCase();
  const browser = createBrowser(http, redirectUri);
  const query = new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'shortest-way',
    aud: fhirBase(origins, member.lob, 'patient-access'),
  });
  const signIn = await browser.open(`${origins.auth}/fhir-oauth2/sec/${lob}/authorize?${query}`);
  const fields = { 'Member ID or e-mail': member.memberId, Password: member.password };
  const consent = await browser.submit(signIn, fields, 'Sign in');
  const back = await browser.submit(consent, sensitiveBoxes(consent), 'Share my data');
  const answer = await http({
    method: 'POST',
    url: `${origins.auth}/fhir-oauth2/pub/${lob}/token`,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`,
    },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code: new URL(back.url).searchParams.get('code'),
      redirect_uri: redirectUri,
    }),
  });
  const { access_token } = JSON.parse(answer.body) as { access_token?: string };
  if (answer.status !== 200 || access_token === undefined) throw new Error(`no token: ${answer.status}`);
  return access_token;
}
