/** Stack of an environment's authorization host and token host. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { federationKeysPath } from '../../lambdas/catalog/oauth/identity-providers.ts';
import { signsForProviders } from '../config/federation.ts';
import { hosts, origins } from '../config/hosts.ts';
import { oauthErrors } from '../constructs/gateway-responses/oauth.ts';
import { HostApi } from '../constructs/host-api.ts';
import { requestAuthorizer, subscriptionKeyHeader } from '../constructs/key-authorizer.ts';
import { AuthorizationFunctions, type AuthorizationFunctionsProps } from './authorization-functions.ts';

/** Request headers a browser-based application may send to the token endpoint. */
const corsHeaders = ['Authorization', 'Accept', 'Content-Type', subscriptionKeyHeader, 'X-Request-Id'];

/** The identity-provider host of an environment, and its machine-to-machine token host. */
export class AuthorizationStack extends Stack {
  /** The token host: the usage plans meter its calls too. */
  readonly tokenApi: HostApi;

  constructor(scope: Construct, id: string, props: AuthorizationFunctionsProps) {
    super(scope, id, props);
    const functions = new AuthorizationFunctions(this, 'Functions', props);
    this.createAuthApi(props, functions);
    this.tokenApi = this.createTokenApi(props, functions);
    const { auth, token } = origins(props.configuration);
    new CfnOutput(this, 'AuthUrl', { value: auth });
    new CfnOutput(this, 'TokenUrl', { value: token });
  }

  /** Creates the authorization server's host. No route takes a subscription key: the member's browser has none, and clients authenticate. */
  private createAuthApi(props: AuthorizationFunctionsProps, functions: AuthorizationFunctions): void {
    const api = this.createHost('AuthApi', hosts(props.configuration).auth, 'authorization server', props);
    api.publicRoute('/fhir-oauth2/sec/{lob}/{proxy+}', 'ANY', functions.authorize, 'browser');
    api.publicRoute('/fhir-oauth2/sec/{lob}/connected-apps', 'ANY', functions.connectedApps, 'browser');
    if (functions.federation !== undefined) this.addFederation(api, props, functions.federation, functions);
    for (const endpoint of ['token', 'revoke', 'introspect']) {
      api.publicRoute(`/fhir-oauth2/pub/{lob}/${endpoint}`, 'POST', functions.token, 'client');
      api.publicRoute(`/fhir-oauth2/pub/{lob}/${endpoint}`, 'ANY', functions.token, 'refused');
    }
    // Introspection is for servers; browsers redeem, refresh and revoke.
    for (const endpoint of ['token', 'revoke']) {
      api.allowCrossOrigin(`/fhir-oauth2/pub/{lob}/${endpoint}`, ['POST'], corsHeaders);
    }
    for (const method of ['GET', 'POST']) {
      api.publicRoute('/fhir-oauth2/pub/{lob}/userinfo', method, functions.userinfo, 'bearer');
    }
    api.publicRoute('/fhir-oauth2/pub/{lob}/userinfo', 'ANY', functions.userinfo, 'refused');
    api.allowCrossOrigin('/fhir-oauth2/pub/{lob}/userinfo', ['GET', 'POST'], corsHeaders);
    for (const path of [
      '/fhir-oauth2/pub/{lob}/jwks',
      // OpenID Connect Discovery section 4 appends to the issuer's path, RFC 8414 section 3.1 puts before it.
      '/fhir-oauth2/{lob}/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      '/.well-known/openid-configuration/fhir-oauth2/{lob}',
    ]) {
      publish(api, path, functions);
    }
  }

  /** The pages of the federated sign-in, and the keys of this client where it signs assertions. */
  private addFederation(
    api: HostApi,
    { configuration }: AuthorizationFunctionsProps,
    federation: IFunction,
    functions: AuthorizationFunctions,
  ): void {
    // A segment for the LOB and one for the page: `{proxy+}` beside `jwks` would match everything else.
    api.publicRoute('/fhir-oauth2/federation/{lob}/{page}', 'ANY', federation, 'browser');
    if (signsForProviders(configuration)) publish(api, federationKeysPath, functions);
  }

  private createTokenApi(props: AuthorizationFunctionsProps, functions: AuthorizationFunctions): HostApi {
    const api = this.createHost(
      'TokenApi',
      hosts(props.configuration).token,
      'machine-to-machine tokens',
      props,
    );
    if (functions.machineAuthorizer === undefined) {
      // Without a key the function alone knows the application: it limits each one's requests.
      api.publicRoute('/token/v2', 'POST', functions.machineToken, 'client');
    } else {
      const authorizer = requestAuthorizer(this, 'MachineAuthorizer', functions.machineAuthorizer, [
        subscriptionKeyHeader,
      ]);
      api.guardedRoute('/token/v2', 'POST', functions.machineToken, authorizer);
    }
    api.publicRoute('/token/v2', 'ANY', functions.machineToken, 'refused');
    // The portal's pages make a service's first call, with the secret and the key its developer opened there.
    api.allowCrossOrigin('/token/v2', ['POST'], corsHeaders);
    for (const path of ['/.well-known/jwks.json', '/.well-known/oauth-authorization-server']) {
      publish(api, path, functions);
    }
    return api;
  }

  private createHost(
    id: string,
    hostname: string,
    description: string,
    { configuration, data }: AuthorizationFunctionsProps,
  ): HostApi {
    data.alarms.on('AnswersSlow', {
      id: `${id}Slow`,
      what: hostname,
      dimensions: { ApiName: hostname, Stage: configuration.environment },
    });
    return new HostApi(this, id, {
      hostname,
      description,
      configuration,
      data,
      gatewayResponses: oauthErrors,
    });
  }
}

/** Adds the route of a public document. */
function publish(api: HostApi, path: string, { discovery }: AuthorizationFunctions): void {
  for (const method of ['GET', 'HEAD']) api.publicRoute(path, method, discovery, 'metadata');
  api.publicRoute(path, 'ANY', discovery, 'refused');
}
