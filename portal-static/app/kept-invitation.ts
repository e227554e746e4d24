/** Keeps the token of an invitation while its reader signs up or in. */

const key = 'invitation';

/** The token of the invitation somebody came with, while they sign up or in. */
export function keptInvitation(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Takes the token out of the mail's link (`/invitation#<token>`), so that it doesn't stay in the address. */
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
    // Without storage the link in the mail can be opened again.
  }
}

export function dropInvitation(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
