// Our own pages are a client of our own provider like any other, except that nobody is asked whether to trust them.
export const WEB_CLIENT_ID = 'trefoil-web';
