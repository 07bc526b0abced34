package org.pingala.spark

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo}

/** Adds the functions to a session: `spark.sql.extensions=org.pingala.spark.PingalaExtensions`. */
class PingalaExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    def add(name: String, usage: String, takes: Range)(make: Seq[Expression] => BatchExpression): Unit = {
      val info = new ExpressionInfo("org.pingala.spark.PingalaExtensions", null, name, s"_FUNC_$usage", "")
      extensions.injectFunction((FunctionIdentifier(name), info, { (arguments: Seq[Expression]) =>
        if (!takes.contains(arguments.size)) {
          throw new IllegalArgumentException(s"$name takes ${takes.head} to ${takes.last} arguments, not ${arguments.size}")
        }
        make(arguments)
      }))
    }
    add("powmod", "(base, exponent, modulus): base^exponent modulo the modulus", 3 to 3)(PowMod(_))
    add("try_powmod", "(base, exponent, modulus): struct(value, error)", 3 to 3)(a => TryPowMod(PowMod(a)))
    add("powmod_base", "(base, exponent, modulus): powers of one base, by a table", 3 to 3)(PowModBase(_))
    add("invmod", "(number, modulus): the inverse of a number", 2 to 2)(InvMod(_))
    add("is_prime", "(number): whether it is prime", 1 to 1)(IsPrime(_))
    add("verify_rsa", "(message, signature, key[, hash[, padding]]): whether an RSA signature is valid", 3 to 5)(VerifyRsa(_))
    add("verify_dsa", "(message, signature, key[, hash[, encoding]]): whether a DSA signature is valid", 3 to 5)(VerifyDsa(_))
    extensions.injectColumnar(_ => BatchRule)
  }
}
