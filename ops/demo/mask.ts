/** Masks secrets, tokens and codes in the demo's output. */

/** Shortens a secret to a few characters, enough to distinguish two secrets. */
function shortened(secret: string): string {
  return `${secret.slice(0, 4)}…`;
}

/** Masks known secrets, and any text that looks like a secret. */
export interface Mask {
  add(...secrets: readonly (string | undefined)[]): void;
  hide(text: string): string;
}

export function createMask(): Mask {
  const known = new Set<string>();
  return {
    add(...secrets) {
      for (const secret of secrets) if (secret !== undefined && secret.length >= 8) known.add(secret);
    },
    hide(text) {
      let shown = text;
      // Longest secrets first, because one may be part of another.
      for (const secret of [...known].sort((a, b) => b.length - a.length)) {
        for (const spelling of new Set([secret, encodeURIComponent(secret), formEncoded(secret)])) {
          shown = shown.replaceAll(spelling, shortened(spelling));
        }
      }
      return shown
        .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, shortened)
        .replace(/(?<=\bBasic )[A-Za-z0-9+/=]{8,}/g, shortened)
        .replace(/(?<=\b(?:code|form_token|code_verifier)=)[\w.~-]{16,}/g, shortened);
    },
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
