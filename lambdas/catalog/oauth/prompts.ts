/** Supported values of `prompt` (OpenID Connect Core section 3.1.2.1). */
export const prompts = ['none', 'login', 'consent', 'select_account'] as const;

export type Prompt = (typeof prompts)[number];
