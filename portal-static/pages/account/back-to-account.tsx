export function BackToAccount() {
  return <a href="/account">Back to your account</a>;
}
