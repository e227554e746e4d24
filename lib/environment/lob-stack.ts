/** Stack of a line of business: its host, routes and functions. */

import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bytesContentTypes } from '../../lambdas/catalog/fhir/binary-content.ts';
import {
  type FhirRoute,
  fhirRoutes,
  methodsOf,
  type RouteAccess,
} from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import { type LineOfBusiness, linesOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { Configuration } from '../config/configuration.ts';
import { hosts, origins } from '../config/hosts.ts';
import type { EnvironmentData } from '../constructs/environment-data.ts';
import { operationOutcomes } from '../constructs/gateway-responses/fhir.ts';
import { HostApi } from '../constructs/host-api.ts';
import { openAuthorizer, requestAuthorizer, subscriptionKeyHeader } from '../constructs/key-authorizer.ts';
import { LobFunctions, type LobFunctionsProps } from './lob-functions.ts';

export interface LobStackProps extends LobFunctionsProps {
  readonly data: EnvironmentData;
}

/** Request headers that a browser's script may send to a FHIR host. */
const corsHeaders = [
  'Authorization',
  subscriptionKeyHeader,
  'Accept',
  'Content-Type',
  'X-Request-Id',
  'Prefer',
  'If-None-Match',
];

/** One line of business: its host, with only the routes that it offers, and functions that can't read another LOB's members. */
export class LobStack extends Stack {
  readonly lob: LineOfBusiness;
  readonly api: HostApi;
  readonly hasDirectory: boolean;

  constructor(scope: Construct, id: string, props: LobStackProps) {
    super(scope, id, props);
    const { lob, configuration, data } = props;
    this.lob = lob;
    this.hasDirectory = offers(lob, 'provider-directory');
    const hostname = hosts(configuration).api(lob);
    this.api = new HostApi(this, 'Api', {
      hostname,
      description: `FHIR: ${linesOfBusiness[lob].name}`,
      configuration,
      data,
      gatewayResponses: operationOutcomes,
      binaryMediaTypes: bytesContentTypes,
    });
    const functions = new LobFunctions(this, 'Functions', props);
    this.addRoutes(lob, new Authorizers(this, functions.authorizer, configuration), functions);
    new CfnOutput(this, 'BaseUrl', {
      value: origins(configuration).apiTemplate.replace('{lob}', lob.toLowerCase()),
    });
  }

  private addRoutes(lob: LineOfBusiness, authorizers: Authorizers, functions: LobFunctions): void {
    const routes = fhirRoutes.filter((route) => offers(lob, route.interface));
    for (const [path, atPath] of Map.groupBy(routes, ({ gatewayPath, path: own }) => gatewayPath ?? own)) {
      const [{ interface: name, access }] = atPath as [FhirRoute];
      const handler = functions.serving(name);
      const allowed = methodsOf(atPath);
      this.api.allowCrossOrigin(path, allowed, corsHeaders);
      if (access === 'public') {
        for (const method of allowed) this.api.publicRoute(path, method, handler, 'metadata');
        // API Gateway would respond to an unknown method as to an unknown path; the function responds 405 with `Allow`.
        this.api.publicRoute(path, 'ANY', handler, 'refused');
      } else {
        // One route for all resource types, because a route for each would exceed the resources of a stack.
        this.api.guardedRoute(path, 'ANY', handler, authorizers.of(access));
      }
    }
  }
}

type GuardedAccess = Exclude<RouteAccess, 'public'>;

/** The LOB's authorizers. Each is created with the first route that needs it, because CDK refuses an authorizer without a route. */
class Authorizers {
  private readonly made = new Map<GuardedAccess, RequestAuthorizer>();
  private readonly scope: Construct;
  private readonly handler: IFunction;
  private readonly keyRequired: boolean;
  private readonly isDirectoryPublic: boolean;

  constructor(scope: Construct, handler: IFunction, configuration: Configuration) {
    this.scope = scope;
    this.handler = handler;
    this.keyRequired = configuration.subscriptionKey === 'required';
    this.isDirectoryPublic = configuration.directoryAccess === 'public';
  }

  of(access: GuardedAccess): RequestAuthorizer {
    const authorizer = this.made.get(access) ?? this.create(access);
    this.made.set(access, authorizer);
    return authorizer;
  }

  private create(access: GuardedAccess): RequestAuthorizer {
    if (access === 'key' && this.isDirectoryPublic)
      return openAuthorizer(this.scope, 'DirectoryAuthorizer', this.handler);
    // Headers of the authorizer: API Gateway refuses a call without one of them, and caches the policy by their values.
    const { id, headers } = {
      member: {
        id: 'MemberAuthorizer',
        headers: [...(this.keyRequired ? [subscriptionKeyHeader] : []), 'Authorization'],
      },
      backend: { id: 'BackendAuthorizer', headers: [subscriptionKeyHeader, 'Authorization'] },
      key: { id: 'SubscriptionAuthorizer', headers: [subscriptionKeyHeader] },
    }[access];
    return requestAuthorizer(this.scope, id, this.handler, headers);
  }
}
