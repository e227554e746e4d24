import type { SigningSecret } from '../../../lambdas/authorization/signing/signing-secret.ts';

/** A secret and its staging labels in memory, with the version rules of Secrets Manager. */
export function createSecretStandIn(placeholder = '{"keys":[]}') {
  const values = new Map<string, string>([['initial', placeholder]]);
  const labels = new Map<string, string>([['AWSCURRENT', 'initial']]);
  let lastRotatedAt: number | undefined;
  const secret: SigningSecret = {
    async describe() {
      const versions: Record<string, string[]> = {};
      for (const [label, version] of labels) versions[version] = [...(versions[version] ?? []), label];
      return { versions, ...(lastRotatedAt !== undefined && { lastRotatedAt }) };
    },
    async read(which) {
      return values.get(which === 'AWSCURRENT' ? (labels.get(which) ?? '') : which.versionId);
    },
    async writePending(version, value) {
      if (!values.has(version)) values.set(version, value);
    },
    async makeCurrent(version, instead) {
      if (labels.get('AWSCURRENT') !== instead) throw new Error('the label is elsewhere');
      labels.set('AWSCURRENT', version);
      if (instead !== undefined) labels.set('AWSPREVIOUS', instead);
    },
    async dropPending(version) {
      if (labels.get('AWSPENDING') !== version) throw new Error('the label is elsewhere');
      labels.delete('AWSPENDING');
    },
    async writeCurrent(version, value) {
      if (values.has(version)) throw new Error('there is such a version');
      values.set(version, value);
      labels.set('AWSPREVIOUS', labels.get('AWSCURRENT') ?? '');
      labels.set('AWSCURRENT', version);
    },
  };
  return {
    secret,
    /** Labels a version as Secrets Manager does before the first rotation step. `end` does what Secrets Manager does after the last one. */
    begin: (version: string) => labels.set('AWSPENDING', version),
    end(at: number) {
      labels.delete('AWSPENDING');
      lastRotatedAt = at;
    },
    current: () => values.get(labels.get('AWSCURRENT') ?? ''),
    value: (version: string) => values.get(version),
  };
}
