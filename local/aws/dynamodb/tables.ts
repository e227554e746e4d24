/** Local DynamoDB: tables of the templates. */

import type { Assembly, Resource } from '../../assembly/resources.ts';

/** A table of the templates. */
export interface TableDeclaration {
  readonly name: string;
  readonly arn: string;
  /** Attribute of the partition key: of the table (`''`) and of each index by its name. */
  readonly partitionKeys: ReadonlyMap<string, string>;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The customer-managed key that encrypts the table. */
  readonly kmsKeyId?: string;
}

interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
}

/** The tables of the templates, by name and by ARN, since requests may use either. */
export function declaredTables(assembly: Assembly): ReadonlyMap<string, TableDeclaration> {
  const resources = [
    ...assembly.ofType('AWS::DynamoDB::Table'),
    ...assembly.ofType('AWS::DynamoDB::GlobalTable'),
  ];
  return new Map(
    resources.map(declaration).flatMap((table) => [
      [table.name, table],
      [table.arn, table],
    ]),
  );
}

function declaration({ physicalId, arn, properties }: Resource): TableDeclaration {
  const indexes = [
    ...((properties.GlobalSecondaryIndexes ?? []) as readonly Index[]),
    ...((properties.LocalSecondaryIndexes ?? []) as readonly Index[]),
  ];
  const partitionKeys = new Map<string, string>([['', hashKey(properties.KeySchema)]]);
  for (const index of indexes) partitionKeys.set(index.IndexName, hashKey(index.KeySchema));
  const kmsKeyId = keyOf(properties);
  return {
    name: physicalId,
    arn,
    partitionKeys,
    properties,
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
  };
}

interface Encrypted {
  readonly SSESpecification?: { readonly KMSMasterKeyId?: string };
}

/** The key of a table. A global table has one for each replica; on one machine there is one replica. */
function keyOf(properties: Resource['properties']): string | undefined {
  const table = properties as Encrypted & { readonly Replicas?: readonly Encrypted[] };
  return table.SSESpecification?.KMSMasterKeyId ?? table.Replicas?.[0]?.SSESpecification?.KMSMasterKeyId;
}

function hashKey(schema: unknown): string {
  const elements = (schema ?? []) as readonly KeySchemaElement[];
  return elements.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
