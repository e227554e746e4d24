import { authenticatorRoutes } from './authenticator-routes.ts';
import type { DeveloperServices } from './developer-services.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { passwordResetRoutes } from './password-reset-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { signUpRoute } from './sign-up-route.ts';
import { verificationRoutes } from './sign-up-verification.ts';
import { teamRoutes } from './team-routes.ts';

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
