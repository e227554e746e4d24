const key = 'invitation';

/** The token of the invitation somebody came with, while they sign up or in. */
export function keptInvitation(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepInvitation(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Without storage the link of the mail can be opened again.
  }
}

export function dropInvitation(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
