/** Link back to the account page. */

export function BackToAccount() {
  return <a href="/account">Back to your account</a>;
}
