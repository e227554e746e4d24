import type { SigningSecret } from '../../lambdas/signing/signing-secret.ts';

/** A secret and its staging labels in memory, as strict about versions as Secrets Manager. */
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
      return values.get('version' in which ? which.version : (labels.get(which.stage) ?? ''));
    },
    async writePending(version, value) {
      if (!values.has(version)) values.set(version, value);
    },
    async makeCurrent(version, instead) {
      if (labels.get('AWSCURRENT') !== instead) throw new Error('the label is elsewhere');
      labels.set('AWSCURRENT', version);
      if (instead !== undefined) labels.set('AWSPREVIOUS', instead);
    },
  };
  return {
    secret,
    /** What Secrets Manager does before the first step, and after the last. */
    begin: (version: string) => labels.set('AWSPENDING', version),
    end(at: number) {
      labels.delete('AWSPENDING');
      lastRotatedAt = at;
    },
    current: () => values.get(labels.get('AWSCURRENT') ?? ''),
    value: (version: string) => values.get(version),
  };
}
