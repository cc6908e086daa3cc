// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getFullUser from './users/get-full-user.ts';
import * as getUsers from './users/get-users.ts';

export const methods = {
  'users.getFullUser': getFullUser.getFullUser,
  'users.getUsers': getUsers.getUsers,
};

export const examples = {
  'users.getFullUser': getFullUser.example,
  'users.getUsers': getUsers.example,
};

export const differences = {};
