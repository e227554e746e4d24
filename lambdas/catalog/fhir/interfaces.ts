/** Table of what each interface serves: resource types and operations. */

import { type Interface, type InterfaceCaller, interfaceFamilies } from '../interface-families.ts';
import {
  patientAccessResources,
  payerAccessResources,
  type ResourceType,
  type ServedResource,
} from './fhir-resources.ts';

/** An operation (R4, operations.html). */
export interface ServedOperation {
  readonly type: ResourceType | 'Group';
  /** Level of the operation: on a resource (`[base]/[type]/[id]/$[name]`) or on a type (`[base]/[type]/$[name]`). */
  readonly level: 'instance' | 'type';
  readonly name: string;
  /**
   * HTTP methods.
   *
   * @default both GET and POST
   */
  readonly methods?: readonly ('GET' | 'POST')[];
  /** Canonical URL of the OperationDefinition. */
  readonly definition: string;
}

interface ServedInterface {
  readonly name: string;
  /** Path on a LOB's host. */
  readonly basePath: string;
  /** Compartment that a call reaches: that of the token's patient, those of a group of members, or public data. */
  readonly compartment: 'patient' | 'group' | 'public';
  readonly caller: InterfaceCaller;
  /** Canonical URLs of the implementation guides' CapabilityStatements (CapabilityStatement.instantiates). */
  readonly instantiates: readonly string[];
  readonly resources: Readonly<Partial<Record<ResourceType, ServedResource>>>;
  readonly operations: readonly ServedOperation[];
}

/**
 * The three interfaces: path, callers, resource types and operations. Routes, dispatch, scopes, CapabilityStatement, SMART configuration,
 * OpenAPI, audited actions and API Gateway's authorizers are made from this table. Source: docs/service.md S1.2, S5.5 to S5.8.
 */
export const interfaces = {
  'patient-access': {
    ...interfaceFamilies['patient-access'],
    // CARIN Consumer Directed Payer Data Exchange (Blue Button), and US Core 6.1.0.
    instantiates: [
      'http://hl7.org/fhir/us/carin-bb/CapabilityStatement/c4bb',
      'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
    ],
    resources: patientAccessResources,
    operations: [
      {
        type: 'Patient',
        level: 'instance',
        name: 'everything',
        definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
      },
      {
        type: 'DocumentReference',
        level: 'type',
        name: 'docref',
        definition: 'http://hl7.org/fhir/us/core/OperationDefinition/docref',
      },
    ],
  },
  'payer-access': {
    ...interfaceFamilies['payer-access'],
    instantiates: [],
    resources: payerAccessResources,
    operations: [
      {
        type: 'Patient',
        level: 'instance',
        name: 'everything',
        definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
      },
      {
        type: 'Patient',
        level: 'type',
        name: 'member-match',
        methods: ['POST'],
        definition: 'http://hl7.org/fhir/us/davinci-hrex/OperationDefinition/member-match',
      },
      {
        type: 'Group',
        level: 'type',
        name: 'bulk-member-match',
        methods: ['POST'],
        definition: 'http://hl7.org/fhir/us/davinci-pdex/OperationDefinition/BulkMemberMatch',
      },
      {
        type: 'Group',
        level: 'instance',
        name: 'davinci-data-export',
        definition: 'http://hl7.org/fhir/us/davinci-atr/OperationDefinition/davinci-data-export',
      },
      {
        type: 'Group',
        level: 'instance',
        name: 'export',
        definition: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export',
      },
    ],
  },
  'provider-directory': {
    ...interfaceFamilies['provider-directory'],
    // Da Vinci PDex Plan-Net 1.1.0, whose types are in `directory-resources.ts`.
    instantiates: ['http://hl7.org/fhir/us/davinci-pdex-plan-net/CapabilityStatement/plan-net'],
    resources: {},
    operations: [],
  },
} as const satisfies Readonly<Record<Interface, ServedInterface>>;

export { type Interface, type InterfaceCaller, interfaceNames, offers } from '../interface-families.ts';

/** The table's row of an interface, as the general type `ServedInterface`. */
export function servedInterface(name: Interface): ServedInterface {
  return interfaces[name];
}

/** The resource types of an interface with their rows, in the table's order. */
export function servedResources(name: Interface): readonly (readonly [ResourceType, ServedResource])[] {
  return Object.entries(interfaces[name].resources) as [ResourceType, ServedResource][];
}

/** Whether an interface serves members' resources. If so, its function reads members' partitions, and its disclosures are audited. */
export function servesMembers(name: Interface): boolean {
  const { compartment, operations } = servedInterface(name);
  return compartment !== 'public' && (servedResources(name).length > 0 || operations.length > 0);
}
