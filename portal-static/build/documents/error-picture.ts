/** Draws which part of the service answers with which statuses, from the tables of errors. */

import { fhirFailures, fhirRefusals } from '../../../lambdas/catalog/fhir/fhir-refusals.ts';
import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import { gatewayResponseTypes } from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { bearerErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import { portalProblems } from '../../../lambdas/portal/catalog/problems.ts';

interface Host {
  readonly name: string;
  readonly format: string;
  readonly gateway: readonly number[];
  readonly service: readonly number[];
}

/** Statuses of errors of the token, revocation and introspection endpoints; of all others 400 (RFC 6749 section 5.2). */
export const tokenStatuses: Readonly<Record<string, readonly number[]>> = {
  invalid_client: [401],
  temporarily_unavailable: [429, 503],
  server_error: [500],
};

const gatewayStatuses = (dialect: 'fhir' | 'oauth') =>
  gatewayResponseTypes.flatMap((type) => describeGatewayError(type, dialect).status ?? []);

const statuses = (table: Readonly<Record<string, { readonly status: number }>>) =>
  Object.values(table).map(({ status }) => status);

const hosts: readonly Host[] = [
  {
    name: 'FHIR APIs',
    format: 'OperationOutcome',
    gateway: gatewayStatuses('fhir'),
    service: [...statuses(fhirRefusals), fhirFailures.defect.status, fhirFailures.unavailable.status],
  },
  {
    name: 'Tokens, UserInfo',
    format: 'OAuth 2.0 error',
    gateway: gatewayStatuses('oauth'),
    service: [400, ...Object.values(tokenStatuses).flat(), ...statuses(bearerErrors)],
  },
  {
    name: 'This portal',
    format: 'Problem details',
    gateway: [],
    service: statuses(portalProblems),
  },
];

const row = 96;
const width = 1100;
const box = { height: 64, gateway: 214, service: 628 };

/** Draws a line of boxes for each host: the call, the gateway with its statuses, the service with its own. */
export function errorPicture(): string {
  const height = hosts.length * row + 10;
  return [
    '<div class="diagram" tabindex="0" role="group" aria-label="Picture of the errors by host; scrolls horizontally">',
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="diagram-errors">`,
    `<title id="diagram-errors">${hosts.map(said).join(' ')}</title>`,
    '<defs><marker id="arrow-errors" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="diagram__tip" d="M0 0L10 5L0 10z"/></marker></defs>',
    ...hosts.map((host, index) => line(host, 5 + index * row)),
    '</svg>',
    '</div>',
  ].join('');
}

const listed = (found: readonly number[]) => [...new Set(found)].sort((one, other) => one - other).join(' ');

function said({ name, format, gateway, service }: Host): string {
  const before = gateway.length === 0 ? '' : ` the gateway answers ${listed(gateway)},`;
  return `${name}, ${format}:${before} the service ${listed(service)}.`;
}

function line({ name, format, gateway, service }: Host, y: number): string {
  const behind = gateway.length === 0 ? '' : boxed(box.gateway, y, 390, 'Gateway', listed(gateway));
  const arrow = (from: number, to: number) =>
    `<path class="diagram__way" d="M${from} ${y + box.height / 2}L${to} ${y + box.height / 2}" marker-end="url(#arrow-errors)"/>`;
  return [
    boxed(2, y, 188, name, format),
    gateway.length === 0 ? arrow(190, box.service) : arrow(190, box.gateway) + arrow(604, box.service),
    behind,
    boxed(box.service, y, 470, 'Service', listed(service)),
  ].join('');
}

function boxed(x: number, y: number, wide: number, name: string, text: string): string {
  const middle = x + wide / 2;
  return `<rect class="diagram__state" x="${x}" y="${y}" width="${wide}" height="${box.height}" rx="8"/><text class="diagram__name" x="${middle}" y="${y + 27}" text-anchor="middle">${name}</text><text class="diagram__note" x="${middle}" y="${y + 50}" text-anchor="middle">${text}</text>`;
}
