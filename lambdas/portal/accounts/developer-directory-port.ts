/** Ports of the developers' Cognito user pool, which holds the passwords, and of the operators in it. */

/** The users of the developers' Cognito user pool, which holds the passwords. */
export interface Directory {
  /**
   * Makes the user of an account. If the user exists already, because the answer to an earlier call was lost, sets its password.
   *
   * @returns false where Cognito refuses the password.
   */
  create(accountId: string, password: string): Promise<boolean>;
  /** @param name an account ID, or an operator's e-mail address. An unknown name and a wrong password get the same answer. */
  signIn(name: string, password: string): Promise<DirectorySignIn>;
  setPassword(accountId: string, password: string): Promise<boolean>;
  /** Disables the user, who can no longer sign in. */
  disable(accountId: string): Promise<void>;
  /** Removes a user without an account; does nothing if the user is gone. */
  remove(accountId: string): Promise<void>;
  /** Reads an operator's names and e-mail address from the user pool, for the account that is made at the first sign-in. */
  describe(
    name: string,
  ): Promise<{ readonly firstName: string; readonly lastName: string; readonly email: string } | undefined>;
}

/** The operators among the users of the developers' user pool. */
export interface OperatorDirectory {
  /** Makes a user in the operators' group. @returns false where Cognito refuses the password. */
  create(
    accountId: string,
    person: { readonly firstName: string; readonly lastName: string; readonly email: string },
    password: string,
  ): Promise<boolean>;
  list(): Promise<readonly { readonly accountId: string; readonly name: string; readonly email: string }[]>;
  /** Removes a user from the group and disables them. */
  remove(accountId: string): Promise<void>;
}

export type DirectorySignIn =
  | { readonly kind: 'signed_in'; readonly user: DirectoryUser }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' };

export interface DirectoryUser {
  /** The pool's user name: the account's id. */
  readonly accountId: string;
  /** Member of the group `operators`. */
  readonly operator: boolean;
}
