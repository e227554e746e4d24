import { authenticatorRoutes } from './authenticator.ts';
import { ownAccountRoutes } from './own-account.ts';
import { passwordResetRoutes } from './password-reset.ts';
import type { DeveloperServices } from './ports.ts';
import { signInRoutes } from './sign-in.ts';
import { signUpRoute } from './sign-up.ts';
import { teamRoutes } from './team.ts';
import { verificationRoutes } from './verification.ts';

/** The routes of the function `portal-accounts`. */
export function accountRoutes(services: DeveloperServices) {
  return {
    signUp: signUpRoute(services),
    ...verificationRoutes(services),
    ...signInRoutes(services),
    ...passwordResetRoutes(services),
    ...ownAccountRoutes(services),
    ...authenticatorRoutes(services),
    ...teamRoutes(services),
  };
}
