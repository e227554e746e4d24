import { authorizationServerEndpoints, memberIssuer } from '../../lambdas/catalog/addresses.ts';
import { offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import { expectEqual, expectMatch, expectObject, expectTrue } from './expect.ts';
import type { Scene } from './scene.ts';

/** Reads the metadata of each interface, without key or token (docs/service.md S5.5, S5.7). */
export async function readMetadata(scene: Scene): Promise<void> {
  const { transcript, environment, lob, origins } = scene;
  const endpoints = authorizationServerEndpoints(origins, lob);
  transcript.heading(`${environment} ${lob}: metadata of the interfaces`);
  const patientAccess = await capabilities(scene, '/extfhirpatientaccess/v1/fhir/metadata');
  const text = JSON.stringify(patientAccess);
  expectTrue(
    'the SMART extension names the authorization endpoint',
    text.includes(endpoints.authorization),
    text,
  );
  expectTrue('the SMART extension names the token endpoint', text.includes(endpoints.token), text);
  expectTrue('Patient is served', /"type":"Patient"/.test(text), text);
  await capabilities(scene, '/extfhirpatientaccess/v1/metadata');
  await capabilities(scene, '/extfhirpayeraccess/v1/fhir/metadata');

  const smart = await get(scene, '/extfhirpatientaccess/v1/.well-known/smart-configuration');
  expectEqual('the status of the SMART configuration', smart.status, 200);
  const configuration = expectObject('the SMART configuration', smart.body);
  expectEqual('issuer', configuration.issuer, memberIssuer(origins, lob));
  expectEqual('authorization_endpoint', configuration.authorization_endpoint, endpoints.authorization);
  expectEqual('token_endpoint', configuration.token_endpoint, endpoints.token);
  expectEqual('code_challenge_methods_supported', configuration.code_challenge_methods_supported, ['S256']);
  await readDirectory(scene);
}

/** Checks that the Provider Directory responds at its base URL, except for MHBE, which has no such endpoint. */
async function readDirectory(scene: Scene): Promise<void> {
  if (offers(scene.lob, 'provider-directory')) {
    await capabilities(scene, '/extfhirproviderdir/v1');
    await capabilities(scene, '/extfhirproviderdir/v1/metadata');
    return;
  }
  const absent = await get(scene, '/extfhirproviderdir/v1');
  expectEqual('the status of a base that does not exist', absent.status, 404);
  expectEqual('its answer', expectObject('the refusal', absent.body).resourceType, 'OperationOutcome');
}

async function capabilities(scene: Scene, path: string): Promise<Record<string, unknown>> {
  const response = await get(scene, path);
  expectEqual(`the status of ${path}`, response.status, 200);
  const statement = expectObject(path, response.body);
  expectEqual(`${path}: resourceType`, statement.resourceType, 'CapabilityStatement');
  expectMatch(`${path}: fhirVersion`, statement.fhirVersion, /^4\.0\.1$/);
  return statement;
}

async function get(scene: Scene, path: string) {
  return await scene.transcript.http({ method: 'GET', url: `${scene.baseUrl}${path}` });
}
