/** Local Secrets Manager: stored versions and staging labels. */

import { AwsError } from '../protocol/aws-error.ts';
import type { State } from '../protocol/state.ts';

/** Content of a version: text, or bytes in base64. A version that waits for its rotation has neither. */
export interface SecretContent {
  readonly text: string | null;
  readonly binary: string | null;
}

export interface SecretVersion extends SecretContent {
  readonly versionId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Versions and staging labels of secrets. Each label is on one version at a time. */
export interface SecretStore {
  exists(arn: string): boolean;
  create(arn: string): void;
  rotatedAt(arn: string): number | undefined;
  recordRotation(arn: string): void;
  version(arn: string, versionId: string): SecretVersion | undefined;
  /** Adds a version, or adds the content of a pending one. Labels are moved to it. */
  put(arn: string, versionId: string, content: SecretContent, labels: readonly string[]): void;
  /** Version IDs by label. */
  labels(arn: string): ReadonlyMap<string, string>;
  /** Moves a label. If it is AWSCURRENT, the version that had it gets AWSPREVIOUS. */
  move(arn: string, label: string, to: string | undefined): void;
}

interface VersionRow {
  readonly version_id: string;
  readonly text: string | null;
  readonly binary: string | null;
  readonly created_at: number;
}

export function secretStore(state: State, now: () => number): SecretStore {
  state.define(`
    CREATE TABLE IF NOT EXISTS secret (arn TEXT PRIMARY KEY, rotated_at INTEGER) STRICT;
    CREATE TABLE IF NOT EXISTS secret_version (
      arn TEXT, version_id TEXT, text TEXT, binary TEXT, created_at INTEGER, PRIMARY KEY (arn, version_id)) STRICT;
    CREATE TABLE IF NOT EXISTS secret_label (
      arn TEXT, label TEXT, version_id TEXT, PRIMARY KEY (arn, label)) STRICT;
  `);

  const setLabel = (arn: string, label: string, versionId: string): void => {
    state.write(
      'INSERT OR REPLACE INTO secret_label (arn, label, version_id) VALUES (?, ?, ?)',
      arn,
      label,
      versionId,
    );
  };

  const labels = (arn: string): ReadonlyMap<string, string> => {
    const rows = state.all<{ label: string; version_id: string }>(
      'SELECT label, version_id FROM secret_label WHERE arn = ?',
      arn,
    );
    return new Map(rows.map((row) => [row.label, row.version_id]));
  };

  const version = (arn: string, versionId: string): SecretVersion | undefined => {
    const row = state.one<VersionRow>(
      'SELECT version_id, text, binary, created_at FROM secret_version WHERE arn = ? AND version_id = ?',
      arn,
      versionId,
    );
    if (row === undefined) return undefined;
    return { versionId: row.version_id, text: row.text, binary: row.binary, createdAt: row.created_at };
  };

  const moveNow = (arn: string, label: string, to: string | undefined): void => {
    const from = labels(arn).get(label);
    if (to === undefined) {
      state.write('DELETE FROM secret_label WHERE arn = ? AND label = ?', arn, label);
      return;
    }
    if (label === 'AWSCURRENT' && from !== undefined && from !== to) setLabel(arn, 'AWSPREVIOUS', from);
    setLabel(arn, label, to);
  };

  return {
    exists: (arn) => state.one('SELECT 1 FROM secret WHERE arn = ?', arn) !== undefined,
    create: (arn) => void state.write('INSERT OR IGNORE INTO secret (arn) VALUES (?)', arn),
    rotatedAt: (arn) =>
      state.one<{ rotated_at: number | null }>('SELECT rotated_at FROM secret WHERE arn = ?', arn)
        ?.rotated_at ?? undefined,
    recordRotation: (arn) => void state.write('UPDATE secret SET rotated_at = ? WHERE arn = ?', now(), arn),
    version,
    labels,
    put(arn, versionId, { text, binary }, newLabels) {
      state.atomically(() => {
        const known = version(arn, versionId);
        if (known !== undefined && (known.text !== null || known.binary !== null)) {
          if (known.text === text && known.binary === binary) return;
          throw new AwsError(
            'ResourceExistsException',
            `The operation failed because the version ${versionId} already exists.`,
          );
        }
        state.write(
          'INSERT OR REPLACE INTO secret_version (arn, version_id, text, binary, created_at) VALUES (?, ?, ?, ?, ?)',
          arn,
          versionId,
          text,
          binary,
          now(),
        );
        for (const label of newLabels) moveNow(arn, label, versionId);
      });
    },
    move: (arn, label, to) => state.atomically(() => moveNow(arn, label, to)),
  };
}
