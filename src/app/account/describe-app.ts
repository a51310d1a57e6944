export const describeApp = (codesLeft: number): string =>
  `Your authenticator app is on. ${codesLeft === 1 ? '1 recovery code is' : `${codesLeft} recovery codes are`} left.`
