/** Measures the status: calls every component of the service as an application would, over its public address. */

import { authorizationServerEndpoints, type EnvironmentOrigins, fhirBase } from '../../catalog/addresses.ts';
import { type Environment, environments } from '../../catalog/environments.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import type { ProvisioningClient } from '../applications/application-ports.ts';
import { type StatusComponent, statusComponents } from '../catalog/status.ts';
import type { MeasuredComponent, MeasuredData, MeasuredDirectory, Measurement } from './status-ports.ts';

export interface MeasureServices {
  /**
   * Sends a GET.
   *
   * @returns undefined if no complete response arrived in time.
   */
  readonly get: (
    url: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly text: string } | undefined>;
  readonly provisioning: ProvisioningClient;
  readonly addresses: Readonly<Record<Environment, EnvironmentOrigins>>;
  /** Origin of the portal. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Calls at once: few, so that the measured functions lose none of their concurrency, and enough for a round to end in time. */
const atOnce = 2;

/** The findings of one call: the component's result, and the directory's publication or the LOBs' data where the call tells them. */
interface Found {
  readonly component?: MeasuredComponent;
  readonly data?: readonly MeasuredData[];
  readonly directory?: MeasuredDirectory;
}

/**
 * Calls every component once.
 *
 * @param before the measurement before. A directory that has never been published is not measured, rather than reported as down.
 */
export async function measureStatus(
  services: MeasureServices,
  before: Measurement | undefined,
): Promise<Measurement> {
  const measuredAt = new Date(services.now()).toISOString();
  const known = before?.directories ?? [];
  const left = [...statusComponents];
  const found: Found[] = [];
  const work = async () => {
    for (let component = left.shift(); component !== undefined; component = left.shift()) {
      found.push(await call(services, component, known));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    measuredAt,
    components: statusComponents.flatMap(
      ({ id }) => found.find(({ component }) => component?.id === id)?.component ?? [],
    ),
    data: environments.flatMap((environment) => {
      const isHere = (each: MeasuredData) => each.environment === environment;
      const current = found.flatMap(({ data = [] }) => data).filter(isHere);
      // An environment that is away has loaded what it had loaded before.
      return current.length > 0 ? current : (before?.data ?? []).filter(isHere);
    }),
    directories: statusComponents.flatMap(({ kind, environment, lob }) => {
      if (kind !== 'provider-directory') return [];
      const isHere = (each: MeasuredDirectory) => each.environment === environment && each.lob === lob;
      return found.flatMap(({ directory = [] }) => directory).find(isHere) ?? known.find(isHere) ?? [];
    }),
  };
}

async function call(
  services: MeasureServices,
  component: StatusComponent,
  known: readonly MeasuredDirectory[],
): Promise<Found> {
  const { id, kind, environment, lob } = component;
  const begun = services.now();
  const measured = (answers: boolean): MeasuredComponent =>
    answers ? { id, answers, latencyMs: services.now() - begun } : { id, answers };
  if (environment === undefined) {
    const [page, api] = await Promise.all(
      [`${services.origin}/`, `${services.origin}/api/sandbox/addresses`].map((url) => services.get(url)),
    );
    return { component: measured(page?.status === 200 && api?.status === 200) };
  }
  if (lob === undefined) {
    const answer = await services.provisioning.send(environment, { action: 'health' });
    if (answer.kind !== 'healthy') return { component: measured(false) };
    return { component: measured(true), data: answer.data.map((each) => ({ environment, ...each })) };
  }
  const origins = services.addresses[environment];
  switch (kind) {
    case 'sign-in':
      // Read from the environment's table, so that the store is measured too.
      return { component: measured(await isOk(services, authorizationServerEndpoints(origins, lob).jwks)) };
    case 'provider-directory': {
      const url = `${fhirBase(origins, lob, kind)}/public/truth-report`;
      const answer = await services.get(url, { accept: 'application/json' });
      const builtAt = answer?.status === 200 ? builtAtOf(answer.text) : undefined;
      const isPublished = known.some((each) => each.environment === environment && each.lob === lob);
      // 503 is also the answer of a directory without a publication.
      if (answer?.status === 503 && !isPublished) return {};
      return {
        component: measured(builtAt !== undefined),
        ...(builtAt !== undefined && { directory: { environment, lob, builtAt } }),
      };
    }
    case 'patient-access':
    case 'payer-access':
      return {
        component: measured(await isOk(services, `${fhirBase(origins, lob, kind)}/fhir/metadata`)),
      };
    default:
      throw new Error(`${kind} has no line of business`);
  }
}

async function isOk({ get }: MeasureServices, url: string): Promise<boolean> {
  return (await get(url))?.status === 200;
}

function builtAtOf(text: string): string | undefined {
  const { builtAt } = (jsonValue(text) ?? {}) as { readonly builtAt?: unknown };
  return typeof builtAt === 'string' && !Number.isNaN(Date.parse(builtAt)) ? builtAt : undefined;
}
