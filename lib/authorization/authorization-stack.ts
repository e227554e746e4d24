/** Stack of an environment's authorization host and token host. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { federationKeysPath } from '../../lambdas/catalog/oauth/identity-providers.ts';
import { payerKeysPath } from '../../lambdas/catalog/oauth/token-issuer.ts';
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
  /** The token host, whose calls the usage plans meter too. */
  readonly tokenApi: HostApi;
  /** Both hosts. */
  readonly apis: readonly HostApi[];
  /** Logs with calls of applications: of the token host, and of the functions that know which application a call is of. */
  readonly callLogs: readonly LogGroup[];

  constructor(scope: Construct, id: string, props: AuthorizationFunctionsProps) {
    super(scope, id, props);
    const functions = new AuthorizationFunctions(this, 'Functions', props);
    const authApi = this.createAuthApi(props, functions);
    this.tokenApi = this.createTokenApi(props, functions);
    this.apis = [authApi, this.tokenApi];
    this.callLogs = [this.tokenApi.accessLog, ...functions.callLogs];
    const { auth, token } = origins(props.configuration);
    new CfnOutput(this, 'AuthUrl', { value: auth });
    new CfnOutput(this, 'TokenUrl', { value: token });
  }

  /**
   * Creates the authorization server's host. No route requires a subscription key: a member's browser has none, and clients authenticate
   * themselves.
   */
  private createAuthApi(props: AuthorizationFunctionsProps, functions: AuthorizationFunctions): HostApi {
    const api = this.createHost('AuthApi', hosts(props.configuration).auth, 'authorization server', props);
    api.publicRoute('/fhir-oauth2/sec/{lob}/{proxy+}', 'ANY', functions.authorize, 'browser');
    api.publicRoute('/fhir-oauth2/sec/{lob}/connected-apps', 'ANY', functions.connectedApps, 'browser');
    if (functions.federation !== undefined) this.addFederation(api, props, functions.federation, functions);
    for (const endpoint of ['token', 'revoke', 'introspect']) {
      api.publicRoute(`/fhir-oauth2/pub/{lob}/${endpoint}`, 'POST', functions.token, 'client');
      api.publicRoute(`/fhir-oauth2/pub/{lob}/${endpoint}`, 'ANY', functions.token, 'refused');
    }
    // Browsers may call the token and revocation endpoints; introspection is for servers only.
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
      payerKeysPath,
      // OpenID Connect Discovery section 4 appends the well-known path to the issuer; RFC 8414 section 3.1 inserts it before the issuer's
      // path.
      '/fhir-oauth2/{lob}/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/fhir-oauth2/{lob}',
      '/.well-known/openid-configuration/fhir-oauth2/{lob}',
    ]) {
      publish(api, path, functions);
    }
    return api;
  }

  /** Adds the pages of the federated sign-in, and the client's public keys if it signs assertions. */
  private addFederation(
    api: HostApi,
    { configuration }: AuthorizationFunctionsProps,
    federation: IFunction,
    functions: AuthorizationFunctions,
  ): void {
    // Two separate path parameters, because `{proxy+}` beside `jwks` would match all other paths.
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
      // Without a subscription key only the function identifies the application, and it limits each application's requests.
      api.publicRoute('/token/v2', 'POST', functions.machineToken, 'client');
    } else {
      const authorizer = requestAuthorizer(this, 'MachineAuthorizer', functions.machineAuthorizer, [
        subscriptionKeyHeader,
      ]);
      api.guardedRoute('/token/v2', 'POST', functions.machineToken, authorizer);
    }
    api.publicRoute('/token/v2', 'ANY', functions.machineToken, 'refused');
    // The portal's guided first call requests a token from the browser, with the credentials that the developer has open there.
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
