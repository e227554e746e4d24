/** Spanish texts of the message pages: errors, refusals and results. */

import type { MessageText, Strings } from './strings.ts';

const backToApp = 'Vuelva a la aplicación y empiece de nuevo.';
const tellDeveloper =
  'No se compartió nada. Contacte a los creadores de la aplicación. Ellos pueden corregir el problema.';

const brokenLink: MessageText = { title: 'Este enlace no funciona', advice: tellDeveloper };

export const spanishMessages: Strings['messages'] = {
  client_id_missing: brokenLink,
  client_unknown: { title: 'Esta aplicación no está registrada', advice: tellDeveloper },
  client_inactive: {
    title: 'En este momento no se puede usar esta aplicación',
    advice: 'Por el momento, la aplicación no tiene permiso para pedir sus datos. No se compartió nada.',
  },
  redirect_uri_missing: brokenLink,
  redirect_uri_unregistered: {
    title: 'Nos detuvimos para proteger sus datos',
    advice: `El enlace lleva a una dirección web que la aplicación no ha registrado con nosotros. ${tellDeveloper}`,
  },
  interaction_unknown: {
    title: 'No encontramos su sesión',
    advice: `Es posible que ya haya respondido, que su sesión haya vencido o que su navegador bloquee las cookies. ${backToApp}`,
  },
  interaction_expired: {
    title: 'Se acabó el tiempo para iniciar sesión',
    advice: `No se compartió nada. ${backToApp}`,
  },
  interaction_answered: {
    title: 'Usted ya respondió',
    advice: 'Para cambiar su respuesta, vuelva a la aplicación y empiece de nuevo.',
  },
  form_foreign: {
    title: 'No pudimos aceptar este formulario',
    advice: `El formulario no se envió desde nuestra página. ${backToApp}`,
  },
  answer_missing: { title: 'No recibimos su respuesta', advice: backToApp },
  form_malformed: { title: 'No pudimos leer este formulario', advice: backToApp },
  line_of_business_unknown: { title: 'No encontramos este plan', advice: tellDeveloper },
  page_unknown: { title: 'No encontramos esta página', advice: backToApp },
  method_not_allowed: { title: 'Esta página no se puede abrir de esta manera', advice: backToApp },
  too_many_codes: {
    title: 'Enviamos demasiados códigos',
    advice:
      'Para proteger su cuenta, no podemos enviar más códigos por ahora. Inténtelo otra vez en una hora.',
  },
  too_many_code_tries: {
    title: 'Demasiados códigos incorrectos',
    advice:
      'Para proteger su cuenta, no podemos aceptar más códigos por ahora. Inicie sesión otra vez en una hora.',
  },
  code_unsendable: {
    title: 'No pudimos enviarle un código',
    advice:
      'Inténtelo otra vez en un minuto. Si el problema continúa, llame al número de su tarjeta de miembro.',
  },
  activation_not_possible: {
    title: 'No podemos configurar esta cuenta aquí',
    advice: 'No se cambió nada. Llame al número de su tarjeta de miembro. Allí pueden ayudarle.',
  },
  signed_out: {
    title: 'Cerró su sesión',
    advice:
      'Puede cerrar esta página. Las aplicaciones con las que comparte conservan su acceso hasta que usted las detenga.',
  },
  still_signed_in: { title: 'Su sesión sigue abierta', advice: 'Puede cerrar esta página.' },
  logout_uri_unregistered: {
    title: 'Nos detuvimos para protegerle',
    advice:
      'El enlace lleva a una dirección web que la aplicación no ha registrado con nosotros. No cerramos su sesión.',
  },
  logout_request_malformed: {
    title: 'Este enlace no funciona',
    advice: 'No cerramos su sesión. Contacte a los creadores de la aplicación.',
  },
  nothing_to_share: {
    title: 'No encontramos datos que usted pueda compartir',
    advice:
      'Inició sesión, pero no tenemos en este plan ningún registro suyo ni de otra persona que usted pueda compartir. Compruebe que eligió el plan correcto. Si es representante personal de alguien, llame al número de la tarjeta de miembro.',
  },
  session_over: {
    title: 'Su sesión se cerró',
    advice: 'Cerramos la sesión después de 15 minutos. Abra la página otra vez para iniciar sesión.',
  },
  defect: { title: 'Ocurrió un error', advice: `No se compartió nada. ${backToApp}` },
  unavailable: {
    title: 'En este momento estamos muy ocupados',
    advice: 'Espere un momento y cargue esta página otra vez.',
  },
};
