/** The checks of the smoke test, in the order in which they run. */

import { authorizationServerEndpoints, fhirBase, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import { accountConfiguration } from '../command-line/system.ts';
import { expectEqual, expectObject, expectTrue } from '../demo/expect.ts';
import { runJourney } from '../demo/journey.ts';
import { readMetadata } from '../demo/metadata.ts';
import { registerApp, type Scene } from '../demo/scene.ts';
import { awsAccount } from '../preflight/aws-account.ts';
import { NotApplicable, type SmokeCheck, smokeApp } from './check.ts';
import { messagesCheck } from './code-sign-in.ts';
import { loadSyntheticMembers } from './load-members.ts';
import { dropCheck } from './ten-rows.ts';

/** Checks that the credentials, the outputs and the hosts are of one environment. The other checks run only if it passes. */
export const environmentCheck: SmokeCheck = {
  id: 'environment',
  writes: false,
  async run({ target, scene }) {
    const { account, region, environment, local, origins } = target;
    const caller = await awsAccount(
      accountConfiguration(local?.system, account),
      account,
      region,
    ).callerAccount();
    expectEqual('the account of the credentials', caller, account);
    for (const lob of target.linesOfBusiness) {
      const { transcript } = scene(lob);
      const issuer = memberIssuer(origins, lob);
      const response = await transcript.http({
        method: 'GET',
        url: `${issuer}/.well-known/openid-configuration`,
      });
      expectEqual(`the status of the discovery document of ${lob}`, response.status, 200);
      const metadata = expectObject('the discovery document', response.body);
      expectEqual(`the issuer of ${environment} ${lob}`, metadata.issuer, issuer);
    }
    expectTrue(
      `the function provisioning of ${environment}`,
      target.provisioningFunction.includes(environment),
      target.provisioningFunction,
    );
    return `Account ${account}, ${region}; ${target.linesOfBusiness.length} issuers at ${origins.auth} name themselves.`;
  },
};

const metadataCheck: SmokeCheck = {
  id: 'metadata',
  writes: false,
  async run({ target, scene }) {
    for (const lob of target.linesOfBusiness) await readMetadata(scene(lob));
    return `CapabilityStatements and SMART configurations of ${target.linesOfBusiness.join(', ')} are as documented.`;
  },
};

const keyRotationCheck: SmokeCheck = {
  id: 'key-rotation',
  writes: true,
  async run({ ops, lob, scene, target }) {
    const keys = async (action: 'list' | 'rotate') => {
      const { code, out, err } = await ops('keys', action, '--lob', lob, '-e', target.environment, '--json');
      expectEqual(
        `the command keys ${action}`,
        { code, said: code === 0 ? '' : out + err },
        { code: 0, said: '' },
      );
      const { keys: listed } = expectObject('the keys', out) as {
        readonly keys: readonly { readonly kid: string; readonly state: string }[];
      };
      return listed.find(({ state }) => state === 'current')?.kid;
    };
    const before = await keys('list');
    const after = await keys('rotate');
    expectTrue('another key signs after the rotation', after !== undefined && after !== before, after);
    const { origins, transcript } = scene(lob);
    const { jwks: url } = authorizationServerEndpoints(origins, lob);
    const { body } = await transcript.http({ method: 'GET', url });
    const published = (expectObject('the JWKS', body).keys as { readonly kid: string }[]).map(
      ({ kid }) => kid,
    );
    const expected = [before, after].every((kid) => published.includes(String(kid)));
    expectTrue('the JWKS has the key from before the rotation and the one after it', expected, published);
    return `${lob}: the key ${after} signs in the place of ${before}; the JWKS has both.`;
  },
};

const journeyCheck: SmokeCheck = {
  id: 'transactions',
  writes: true,
  async run({ scene, target, lobs, ops }) {
    for (const lob of lobs) {
      await loadSyntheticMembers(ops, target.environment, scene(lob).members);
      await runJourney(scene(lob));
    }
    return `${lobs.join(', ')}: registration, consent, exchange of the code and revocation were written in transactions under LeadingKeys; all responses are as documented.`;
  },
};

const directoryCheck: SmokeCheck = {
  id: 'directory',
  writes: true,
  async run({ target, scene }) {
    for (const lob of target.linesOfBusiness.filter((each) => offers(each, 'provider-directory'))) {
      const total = await countOrganizations(scene(lob));
      if (total > 0) return `${lob}: node:sqlite read the publication, which has ${total} organizations.`;
    }
    const command = `npm run ops -- directory load-synthetic -e ${target.environment}`;
    throw new NotApplicable(`No directory is published, so node:sqlite was not used. Load one: ${command}`);
  },
};

async function countOrganizations(scene: Scene): Promise<number> {
  const { subscriptionKey } = await registerApp(scene, smokeApp);
  const response = await scene.transcript.http({
    method: 'GET',
    url: `${fhirBase(scene.origins, scene.lob, 'provider-directory')}/Organization?_summary=count`,
    headers: { 'x-api-subscription-key': subscriptionKey },
  });
  expectEqual('the status of a search of the directory', response.status, 200);
  return Number(expectObject('the Bundle', response.body).total ?? 0);
}

/** The checks after `environmentCheck`. The rotation comes before the journeys, whose tokens the new key signs. */
export const smokeChecks: readonly SmokeCheck[] = [
  metadataCheck,
  keyRotationCheck,
  journeyCheck,
  directoryCheck,
  dropCheck,
  messagesCheck,
];
