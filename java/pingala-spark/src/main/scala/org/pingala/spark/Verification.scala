package org.pingala.spark

import java.nio.charset.StandardCharsets
import java.util.{ArrayList => JArrayList, IdentityHashMap}

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.pingala.{Key, Rows, Scheme, Signatures}

/** A function (message, signature, key, hash, way): whether a signature is valid. Hash and way may be left out. */
abstract class Verify extends BatchExpression {
  override def dataType: DataType = BooleanType

  override protected def wrongTypes: String = {
    val wrong = children.filterNot(child => BatchExpression.isText(child.dataType))
    if (wrong.nonEmpty) s"${wrong.head.dataType.catalogString}: expected BINARY or STRING"
    else if (children(1).dataType != BinaryType && children(1).dataType != NullType) "the signature is expected to be BINARY"
    else null
  }

  /** The scheme of these names. */
  protected def scheme(hash: Scheme.Hash, way: String): Option[Scheme]

  protected def isDsa: Boolean

  private def schemeOf(row: Array[Any]): Either[Failure, Scheme] = {
    val name = if (row.length > 3) text(row(3)) else "SHA256"
    val way = if (row.length > 4) text(row(4)) else ""
    val plain = name.toUpperCase.replace("-", "").replace("/", "_").replace("SHA3", "SHA3_").replace("SHA3__", "SHA3_")
    Scheme.Hash.values().find(_.name() == plain) match {
      case None => Left(Failure("bad_argument", s"${Column.quoted(name)} is no hash function"))
      case Some(hash) =>
        scheme(hash, way.toLowerCase).toRight(Failure("bad_argument", s"${Column.quoted(way)} is not known to $functionName"))
    }
  }

  private def text(value: Any): String = new String(bytes(value), StandardCharsets.UTF_8)

  private def bytes(value: Any): Array[Byte] = value match {
    case text: UTF8String => text.getBytes
    case array: Array[Byte] => array
  }

  override def compute(rows: Array[Array[Any]], calls: Calls): Array[Any] = {
    calls.trim()
    val answers = new Array[Any](rows.length)
    // Rows with one scheme are one list.
    val groups = scala.collection.mutable.LinkedHashMap.empty[String, (Scheme, scala.collection.mutable.ArrayBuffer[(Int, Key)])]
    for (i <- rows.indices) {
      val row = rows(i)
      val both = for (scheme <- schemeOf(row); key <- calls.key(bytes(row(2)))) yield (scheme, key)
      both match {
        case Left(failure) => answers(i) = failure
        case Right((_, key)) if key.isDsa != isDsa =>
          answers(i) = Failure("bad_argument", s"a key of ${if (isDsa) "RSA" else "DSA"}: expected one of ${if (isDsa) "DSA" else "RSA"}")
        case Right((scheme, key)) =>
          val name = row.drop(3).map(text).mkString("\u0000")
          groups.getOrElseUpdate(name, (scheme, scala.collection.mutable.ArrayBuffer.empty))._2 += ((i, key))
      }
    }
    for ((scheme, members) <- groups.values) {
      val places = new IdentityHashMap[Key, Integer]
      val keys = new JArrayList[Key]
      val keyOf = members.map { case (_, key) =>
        places.computeIfAbsent(key, k => { keys.add(k); keys.size() - 1 }).intValue()
      }.toArray
      val digests = members.map { case (i, _) => scheme.digest(bytes(rows(i)(0))) }.toArray
      val signatures = members.map { case (i, _) => bytes(rows(i)(1)) }.toArray
      val verdicts = Signatures.verifyList(keys, keyOf, Rows.of(digests), signatures, scheme, calls.options)
      for (k <- members.indices) {
        answers(members(k)._1) = verdicts.valid(k)
      }
    }
    answers
  }
}

/** verify_rsa(message, signature, key, hash, padding): padding is pkcs1 or pss. */
final case class VerifyRsa(override val children: Seq[Expression]) extends Verify {
  override def functionName: String = "verify_rsa"

  override protected def isDsa: Boolean = false

  override protected def scheme(hash: Scheme.Hash, way: String): Option[Scheme] = way match {
    case "" | "pkcs1" => Some(Scheme.of(Scheme.Algorithm.RSA_PKCS1, hash))
    case "pss" => Some(Scheme.of(Scheme.Algorithm.RSA_PSS, hash))
    case _ => None
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}

/** verify_dsa(message, signature, key, hash, encoding): encoding is der or p1363. */
final case class VerifyDsa(override val children: Seq[Expression]) extends Verify {
  override def functionName: String = "verify_dsa"

  override protected def isDsa: Boolean = true

  override protected def scheme(hash: Scheme.Hash, way: String): Option[Scheme] = way match {
    case "" | "der" => Some(Scheme.of(Scheme.Algorithm.DSA, hash))
    case "p1363" => Some(Scheme.of(Scheme.Algorithm.DSA, hash).`with`(Scheme.Encoding.P1363))
    case _ => None
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}
