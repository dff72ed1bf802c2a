import t from 'tap'
import { beforeInside } from '../../../src/upstream/inside.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

t.test('what a third party says to its callers is quoted as it is', async t => {
  for (const text of [
    'The city is not known.', 'Please select a city from the list.', 'Select one from the list where you live.', 'Update your settings, then delete from the cart.', 'Insert into the form a valid date.', 'Rate limit exceeded: 100 requests per minute.',
    'The path /v1/search is not known.', 'See https://docs.example.com/errors/404 for more.', '/users/42 was not found', '/home/feed does not take DELETE', 'Use https://api.example.com/usr/local/x.js', 'version 1.10.2.3 is too old', 'Server 8.8.8.8 says no',
    'Invalid value at line 3', 'Syntax error near "foo"', 'The error was thrown at 10:30', 'Field "table" does not exist', 'Unique names only', 'Your session at Example Inc. (Berlin) ended', 'The key must be unique', 'local time is wrong', 'internal review', 'a.local(b)',
    'invalid_request: SELECT is not a currency', 'index.php is gone', 'E1100 is not a code', 'order #10 is closed', 'Stack overflow', 'ORA is no airline', 'Select one from the list where it is shown', 'Select a plan from us and join our club', 'with pets as (optional) guests', 'Server 100.128.1.2 says no', 'The key (id) is wrong', '東京が見つかりません'
  ]) t.equal(beforeInside(text), text, text)
})

t.test('a stack, SQL, a path or an internal address ends the quotation', async t => {
  for (const [text, before] of [
    ['Payment refused. Traceback (most recent call last):\n  File "/srv/app/pay.py", line 10, in pay', 'Payment refused'],
    ["Card declined\n  File 'pay.py', line 10, in pay", 'Card declined'],
    ['Cannot read properties of undefined\n    at pay (/srv/app/pay.js:10:5)\n    at node:internal/x:1:1', 'Cannot read properties of undefined'],
    ['Boom happened    at async file:///srv/x.mjs:3:1', 'Boom happened'],
    ['Order lost\n\tat com.example.Pay.run(Pay.java:10)', 'Order lost'],
    ['Order lost\n   at Shop.Pay.Run(String id) in C:\\src\\Pay.cs:line 12', 'Order lost'],
    ['Payment stopped: panic: runtime error: index out of range\n\ngoroutine 1 [running]:', 'Payment stopped'],
    ["thread 'main' panicked at src/main.rs:4:5", undefined],
    ['Wrong total. Stack trace:\n#0 /var/www/pay.php(12): pay()', 'Wrong total'],
    ['Undefined variable total in /app/pay.php on line 12', 'Undefined variable total'],
    ["models/pay.rb:10:in 'total'", undefined],
    ['java.lang.NullPointerException: Cannot invoke', undefined],
    ['(psycopg2.errors.UniqueViolation) duplicate key value violates unique constraint "users_email_key"\nDETAIL:  Key (email)=(a@b.c) already exists.', undefined],
    ['Sign-up refused: duplicate key value violates unique constraint "users_email_key"', 'Sign-up refused'],
    ['ERROR: syntax error at or near "from"', undefined],
    ['ORA-00942: table or view does not exist', undefined],
    ["SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.pay'", undefined],
    ['Booking failed: SQLITE_CONSTRAINT: UNIQUE constraint failed: users.email', 'Booking failed'],
    ['relation "users" does not exist', undefined],
    ["You have an error in your SQL syntax; check the manual near ''", undefined],
    ["Duplicate entry 'a@b.c' for key 'users.email'", undefined],
    ['Query was: SELECT id, email FROM users WHERE id = 7', undefined],
    ['The search broke: select id from users where id = 7', 'The search broke'],
    ['The search broke: select u.id from users u where u.id in (7)', 'The search broke'], ['The search broke: select id, name from users order by name', 'The search broke'], ['The search broke: select a from b left join c on b.id = c.id', 'The search broke'],
    ['Sign-up refused: Key (email)=(a@b.c) already exists.', 'Sign-up refused'], ['Report broke: WITH x AS (SELECT 1)', 'Report broke'], ['Report broke: with x as (select 1)', 'Report broke'], ['Backend 100.64.1.2 timed out', 'Backend'], ['Backend 100.127.0.9 timed out', 'Backend'],
    ['insert into users (id) values (7)', undefined],
    ['update users set name = 1', undefined],
    ['Missing file: /etc/ssl/private.pem', 'Missing file'],
    ['Template /home/deploy/app/view.txt is broken', 'Template'],
    ['Template C:\\inetpub\\view.txt is broken', 'Template'],
    ['require stack: /x/y/handler.js', 'require stack'],
    ['connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED'],
    ['Backend 192.168.1.20 timed out', 'Backend'], ['Backend 172.20.0.3 timed out', 'Backend'], ['Backend 127.0.0.1:80', 'Backend'], ['Backend [fd12:3456::1] is gone', 'Backend'],
    ['Could not resolve db-1.eu.internal: timeout', 'Could not resolve'],
    ['Ledger ledger.default.svc.cluster.local is gone', 'Ledger'],
    ['Forwarding to localhost:8080 broke', 'Forwarding to'],
    ['Asked http://payments:8080/v1/pay in vain', 'Asked'],
    ['dial tcp: lookup http://payments', undefined]
  ] as const) t.equal(beforeInside(text), before, text)
})

t.test('a long text that nearly shows something takes no time', async t => {
  const took = cpuMs(() => {
    for (const part of ['a.', 'at ', 'select ', 'SELECT a ', '/a', 'x:', '10.', 'a-', 'update a set ', '://a', 'Duplicate entry ', 'select a from b ', 'with a as ', 'Key (a', '\\\\a', 'at a(', ' in a', '"']) beforeInside(part.repeat(4_096 / part.length))
  })
  t.ok(took < 5_000)
})
