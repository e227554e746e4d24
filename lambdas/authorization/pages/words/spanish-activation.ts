/** Spanish texts of the activation pages. */

import type { ActivationStrings } from './strings.ts';

const callPlan = 'Llame al número de su tarjeta de miembro. Allí pueden ayudarle.';

export const spanishActivation: ActivationStrings = {
  link: '¿Es su primera vez aquí u olvidó su contraseña?',
  title: 'Configure su cuenta',
  intro: (plan) =>
    `Escriba estos datos como los tiene su ${plan}. Si coinciden, le enviamos un código. Después, usted elige una contraseña. Haga esto también si olvidó su contraseña.`,
  memberId: 'Número de miembro',
  memberIdHint: 'Está en su tarjeta de miembro.',
  birthDate: 'Fecha de nacimiento',
  birthDateHint: 'Por ejemplo: 4 28 1986',
  month: 'Mes',
  day: 'Día',
  year: 'Año',
  postalCode: 'Código postal de su casa',
  channel: '¿Cómo quiere recibir el código?',
  byEmail: 'Correo electrónico',
  sms: 'Mensaje de texto',
  channelHint: 'Si su plan tiene solo uno de los dos, usamos ese.',
  submit: 'Enviar el código',
  back: 'Volver al inicio de sesión',
  missing: {
    memberId: 'Escriba su número de miembro',
    birthDate: 'Escriba su fecha de nacimiento con mes, día y año',
    postalCode: 'Escriba su código postal',
  },
  codeTitle: 'Escriba el código que le enviamos',
  sent: 'Si los datos coinciden con los que tiene su plan, enviamos un código al correo electrónico o número de teléfono que tiene de usted. El código es válido durante 10 minutos.',
  noCodeTitle: '¿No recibió el código?',
  noCode: `Espere un minuto y revise sus datos. Es posible que su plan no tenga un correo electrónico ni un número de celular de usted. ${callPlan}`,
  startAgain: 'Escribir sus datos otra vez',
  passwordTitle: 'Elija una contraseña',
  passwordIntro:
    'Use al menos 15 caracteres. Unas palabras que pueda recordar son una buena contraseña. Puede usar espacios.',
  username: (memberId) => `Usted inicia sesión con su número de miembro: ${memberId}`,
  password: 'Contraseña nueva',
  again: 'Contraseña nueva otra vez',
  save: 'Guardar y continuar',
  passwordErrors: {
    missing: 'Escriba una contraseña nueva',
    different: 'Las dos contraseñas no son iguales. Escriba las dos otra vez.',
    password_short: 'Use al menos 15 y como máximo 128 caracteres',
    password_known: 'Esta contraseña es fácil de adivinar. Elija otra, por ejemplo unas palabras suyas.',
  },
  subject: (plan) => `Su código para ${plan}`,
  email: (code, plan) =>
    `${code} es su código para elegir una contraseña para ${plan}.\n\nEl código es válido durante 10 minutos. No lo comparta con nadie. Nunca se lo pediremos por teléfono ni por correo.\n\nSi usted no lo pidió, ignore este mensaje. Nada cambia.\n`,
  textMessage: (code, plan) =>
    `${code} es su código para elegir una contraseña para ${plan}. Es válido durante 10 minutos. No lo comparta con nadie.`,
  changedSubject: (plan) => `Su contraseña para ${plan} cambió`,
  changed: (plan) =>
    `La contraseña de su cuenta para ${plan} cambió. Si no fue usted, llame al número de su tarjeta de miembro.`,
};
