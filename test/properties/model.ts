/**
 * A minimal model of grants and tokens after any sequence of events, without store, tokens or requests. Times are in seconds since the
 * beginning.
 */
export interface Model {
  now: number;
  suspended: boolean;
  readonly interactions: {
    state: 'signing-in' | 'consenting' | 'answered';
    readonly expiresAt: number;
    lasting: boolean;
    /** Index of the SSO session that the interaction began or used. */
    ssoSession?: number;
    /** Whether the interaction uses an SSO session instead of the password, and so ends with it. */
    readonly continued: boolean;
    /** The member's answer, and the index of the code that it issued. */
    answer?: { readonly kind: 'share' | 'decline'; readonly code?: number };
  }[];
  /** SSO sessions, with the application's grant in each. */
  readonly ssoSessions: { open: boolean; readonly expiresAt: number; grant?: number | undefined }[];
  readonly codes: {
    state: 'issued' | 'redeemed' | 'ended';
    readonly expiresAt: number;
    readonly grant: number;
    /** Whether the code was issued without a page; its grant is then active before the code is redeemed. */
    readonly silent: boolean;
    readonly lasting: boolean;
  }[];
  readonly grants: {
    state: 'pending' | 'active' | 'revoked';
    expiresAt: number;
    readonly lasting: boolean;
  }[];
  readonly accessTokens: { readonly grant: number; readonly expiresAt: number }[];
  readonly families: {
    revoked: boolean;
    readonly grant: number;
    live: number;
    rotatedAt: number;
    idleExpiresAt: number;
  }[];
  readonly refreshTokens: { readonly family: number; readonly serial: number }[];
}

export const seconds = {
  interaction: 900,
  ssoSession: 900,
  code: 60,
  accessToken: 1_800,
  grace: 30,
  idle: 100 * 86_400,
  grant: 395 * 86_400,
} as const;

export function newModel(): Model {
  return {
    now: 0,
    suspended: false,
    interactions: [],
    ssoSessions: [],
    codes: [],
    grants: [],
    accessTokens: [],
    families: [],
    refreshTokens: [],
  };
}

/** Whether a grant allows access at this moment. */
export function lives(model: Model, grant: number): boolean {
  const { state, expiresAt = 0 } = model.grants[grant] ?? {};
  return state === 'active' && expiresAt > model.now;
}

/** Whether an access token reads the member's data, which needs an active grant. */
export function reads(model: Model, token: number): boolean {
  const { grant = -1, expiresAt = 0 } = model.accessTokens[token] ?? {};
  return !model.suspended && expiresAt > model.now && lives(model, grant);
}

export function endGrant(model: Model, grant: number): void {
  const ended = model.grants[grant];
  if (ended !== undefined) ended.state = 'revoked';
  for (const family of model.families) if (family.grant === grant) family.revoked = true;
}

/**
 * Consents on the consent page, which creates a grant that waits for its code to be redeemed. Ends earlier grants that allow more: those
 * that still wait, and those that last longer (docs/decisions/0052).
 *
 * @returns the grant's number
 */
export function share(model: Model, lasting: boolean): number {
  const expiresAt = model.now + (lasting ? seconds.grant : seconds.accessToken);
  for (const [earlier, grant] of model.grants.entries())
    if (grant.state === 'pending' || (lives(model, earlier) && grant.expiresAt > expiresAt))
      endGrant(model, earlier);
  model.grants.push({ state: 'pending', expiresAt: 0, lasting });
  return model.grants.length - 1;
}

/** Whether an SSO session may replace the password. */
export function stands(model: Model, index: number): boolean {
  const ssoSession = model.ssoSessions[index];
  return ssoSession?.open === true && ssoSession.expiresAt > model.now;
}

export type Silent = 'code' | 'login_required' | 'consent_required';

/**
 * A request with `prompt=none`.
 *
 * @param lasting whether it asks for offline access
 */
export function silent(model: Model, index: number | undefined, lasting: boolean): Silent {
  if (index === undefined || !stands(model, index)) return 'login_required';
  const grant = model.ssoSessions[index]?.grant ?? -1;
  if (!lives(model, grant) || (lasting && model.grants[grant]?.lasting !== true)) return 'consent_required';
  model.codes.push({ state: 'issued', expiresAt: model.now + seconds.code, grant, lasting, silent: true });
  return 'code';
}

export type Outcome = 'issued' | 'refused';

function issue(model: Model, grant: number): void {
  const grantEnds = model.grants[grant]?.expiresAt ?? 0;
  const expiresAt = Math.min(model.now + seconds.accessToken, grantEnds);
  model.accessTokens.push({ grant, expiresAt });
}

/**
 * Redeems a code.
 *
 * @param own whether the client is the one that the code was issued to
 * @param proven whether the PKCE verifier is right
 */
export function redeem(model: Model, index: number, own: boolean, proven: boolean): Outcome {
  const code = model.codes[index];
  const grant = model.grants[code?.grant ?? -1];
  if (code === undefined || grant === undefined || (own && model.suspended)) return 'refused';
  if (code.state === 'ended') return 'refused';
  if (!own) {
    // A code that another client presents is ended. The other client gets nothing, and the owner's tokens remain valid.
    if (code.state === 'issued') code.state = 'ended';
    return 'refused';
  }
  if (code.state === 'redeemed') {
    // The grant is revoked. The refresh token family is marked only at its next use.
    grant.state = 'revoked';
    return 'refused';
  }
  if (code.expiresAt <= model.now) return 'refused';
  if (!proven) {
    code.state = 'ended';
    endGrant(model, code.grant);
    return 'refused';
  }
  if (code.silent) {
    if (!lives(model, code.grant)) return 'refused';
  } else {
    // The member stopped sharing before the code was redeemed.
    if (grant.state === 'revoked') return 'refused';
    grant.state = 'active';
    grant.expiresAt = model.now + (grant.lasting ? seconds.grant : seconds.accessToken);
  }
  code.state = 'redeemed';
  issue(model, code.grant);
  if (code.lasting) {
    const idleExpiresAt = Math.min(model.now + seconds.idle, grant.expiresAt);
    model.families.push({ revoked: false, grant: code.grant, live: 0, rotatedAt: model.now, idleExpiresAt });
    model.refreshTokens.push({ family: model.families.length - 1, serial: 0 });
  }
  return 'issued';
}

export function refresh(model: Model, index: number, own: boolean): Outcome {
  const token = model.refreshTokens[index];
  const family = model.families[token?.family ?? -1];
  if (token === undefined || family === undefined || (own && model.suspended)) return 'refused';
  const known = token.serial === family.live || token.serial === family.live - 1;
  if (!own) {
    if (known) endGrant(model, family.grant);
    return 'refused';
  }
  const grantEnds = model.grants[family.grant]?.expiresAt ?? 0;
  if (family.revoked || family.idleExpiresAt <= model.now || grantEnds <= model.now) return 'refused';
  const inGrace = token.serial === family.live - 1 && model.now <= family.rotatedAt + seconds.grace;
  if (token.serial !== family.live && !inGrace) {
    endGrant(model, family.grant);
    return 'refused';
  }
  if (!lives(model, family.grant)) return 'refused';
  issue(model, family.grant);
  if (token.serial === family.live) {
    family.live += 1;
    family.rotatedAt = model.now;
    family.idleExpiresAt = Math.min(model.now + seconds.idle, grantEnds);
    model.refreshTokens.push({ family: token.family, serial: family.live });
  }
  return 'issued';
}
