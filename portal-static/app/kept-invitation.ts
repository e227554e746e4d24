/** Keeps the token of an invitation while the invited person signs up or signs in. */

const key = 'invitation';

/** The token of the invitation that the visitor opened, kept while they sign up or sign in. */
export function keptInvitation(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Moves the token from the invitation's link (`/invitation#<token>`) to session storage, so that the address bar does not show it. */
export function takeInvitation(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return keptInvitation();
  keepInvitation(token);
  history.replaceState(null, '', location.pathname);
  return token;
}

function keepInvitation(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Session storage is not available: the person can open the link in the mail again.
  }
}

export function dropInvitation(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Session storage is not available, so there is nothing to remove.
  }
}
