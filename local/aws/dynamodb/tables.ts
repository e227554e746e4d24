/** Local DynamoDB: tables of the templates. */

import type { Assembly, Resource } from '../../assembly/resources.ts';

/** A table the templates declare. */
export interface TableDeclaration {
  readonly name: string;
  readonly arn: string;
  /** Attribute that is the partition key, of the table (`''`) and of each index by its name. */
  readonly partitionKeys: ReadonlyMap<string, string>;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The customer-managed key the table is encrypted with. */
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

/** Every table of the templates, findable by name and by ARN, as requests name them. */
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

/** A global table names its key for each replica; on one machine there is one. */
function keyOf(properties: Resource['properties']): string | undefined {
  const table = properties as Encrypted & { readonly Replicas?: readonly Encrypted[] };
  return table.SSESpecification?.KMSMasterKeyId ?? table.Replicas?.[0]?.SSESpecification?.KMSMasterKeyId;
}

function hashKey(schema: unknown): string {
  const elements = (schema ?? []) as readonly KeySchemaElement[];
  return elements.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
