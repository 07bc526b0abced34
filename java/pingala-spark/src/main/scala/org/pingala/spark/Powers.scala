package org.pingala.spark

import java.math.BigInteger
import java.nio.ByteBuffer
import java.util.{ArrayList => JArrayList, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.pingala.{Modulus, PingalaException, Pingala, Primes, Results, Rows}

/** A function of numbers whose results are below its last argument, and of its type: BINARY results are as wide as the modulus. */
abstract class Residues extends BatchExpression {
  override def dataType: DataType = BatchExpression.like(children.last.dataType)

  override protected def wrongTypes: String = BatchExpression.wrongNumbers(children.map(_.dataType))

  /** The results of rows whose numbers were read and whose modulus is positive. */
  protected def results(columns: Array[Column], places: Array[Int], moduli: Array[Modulus], modulusOf: Array[Int], calls: Calls): Results

  override def compute(rows: Array[Array[Any]], calls: Calls): Array[Any] = {
    val columns = children.indices.map(c => new Column(rows.map(_(c)), children(c).dataType)).toArray
    val modulus = columns.last
    val found = new JHashMap[BigInteger, Integer]
    val handles = new JArrayList[Modulus]
    val answers = new Array[Any](rows.length)
    val places = Array.newBuilder[Int]
    val modulusOf = Array.newBuilder[Int]
    var last = -1
    var lastPlace = -1
    calls.trim()
    for (i <- rows.indices) {
      var failure: Failure = null
      for (column <- columns if failure == null) {
        failure = column.read(i)
      }
      if (failure == null && !(last >= 0 && modulus.same(last, i))) {
        val value = modulus.number(i)
        if (value.signum() <= 0) {
          failure = Failure(if (value.signum() == 0) "zero_modulus" else "negative_modulus", "expected a modulus of 1 or more")
        } else {
          val known = found.get(value)
          if (known != null) {
            lastPlace = known
          } else {
            try {
              handles.add(calls.modulus(value))
              lastPlace = handles.size() - 1
              found.put(value, lastPlace)
            } catch {
              case e: PingalaException => failure = Failure.of(e)
            }
          }
          if (failure == null) {
            last = i
          }
        }
      }
      if (failure == null) {
        places += i
        modulusOf += lastPlace
      } else {
        answers(i) = failure
      }
    }
    val kept = places.result()
    if (kept.nonEmpty) {
      val computed = results(columns, kept, handles.toArray(new Array[Modulus](0)), modulusOf.result(), calls)
      for (k <- kept.indices) {
        val code = computed.error(k)
        answers(kept(k)) = if (code == null) modulus.like(kept(k), computed.bytes(k)) else Failure.of(code)
      }
    }
    answers
  }

  /** Room for a result as wide as the longest modulus for each row. */
  protected def room(calls: Calls, count: Int, moduli: Array[Modulus]): ByteBuffer =
    calls.results(count, moduli.map(modulus => (modulus.bits() + 7) / 8).max.toInt)

  /** Whether a column has one number in all these rows. */
  protected def constant(column: Column, places: Array[Int]): Boolean = places.forall(column.same(places(0), _))
}

/** powmod(base, exponent, modulus). */
final case class PowMod(override val children: Seq[Expression]) extends Residues {
  override def functionName: String = "powmod"

  override protected def results(columns: Array[Column], places: Array[Int], moduli: Array[Modulus], modulusOf: Array[Int], calls: Calls): Results = {
    val bases = columns(0).rows(places)
    val out = room(calls, places.length, moduli)
    if (moduli.length == 1 && constant(columns(1), places)) {
      moduli(0).powBases(bases, columns(1).number(places(0)), out)
    } else if (moduli.length == 1) {
      moduli(0).powList(bases, columns(1).rows(places), out)
    } else {
      Pingala.powList(bases, columns(1).rows(places), java.util.Arrays.asList(moduli: _*), modulusOf, calls.options, out)
    }
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}

/** powmod_base(base, exponent, modulus): base and modulus are one for all rows, or for long runs of them. */
final case class PowModBase(override val children: Seq[Expression]) extends Residues {
  override def functionName: String = "powmod_base"

  override protected def results(columns: Array[Column], places: Array[Int], moduli: Array[Modulus], modulusOf: Array[Int], calls: Calls): Results = {
    val exponents = columns(1).rows(places)
    val out = room(calls, places.length, moduli)
    if (moduli.length > 1 || !constant(columns(0), places)) {
      return Pingala.powList(columns(0).rows(places), exponents, java.util.Arrays.asList(moduli: _*), modulusOf, calls.options, out)
    }
    val base = columns(0).number(places(0))
    if (places.length < PowModBase.Few || exponents.width * 8L - 7 > moduli(0).bits()) {
      moduli(0).powExponents(base, exponents, out)
    } else {
      val powers = calls.table(base, moduli(0).value()).powList(exponents, out)
      if (places.indices.exists(powers.error(_) == "too_long")) moduli(0).powExponents(base, exponents, out) else powers
    }
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}

private object PowModBase {
  /** No table is made for fewer rows. */
  val Few = 64
}

/** invmod(number, modulus). */
final case class InvMod(override val children: Seq[Expression]) extends Residues {
  override def functionName: String = "invmod"

  override protected def results(columns: Array[Column], places: Array[Int], moduli: Array[Modulus], modulusOf: Array[Int], calls: Calls): Results = {
    val numbers = columns(0).rows(places)
    val out = room(calls, places.length, moduli)
    if (moduli.length == 1) {
      moduli(0).invertList(numbers, out)
    } else {
      val minusOne = Rows.of(java.util.Collections.nCopies(places.length, BigInteger.ONE.negate()))
      Pingala.powList(numbers, minusOne, java.util.Arrays.asList(moduli: _*), modulusOf, calls.options, out)
    }
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}

/** try_powmod(base, exponent, modulus): a struct of the power and of the code of the error, one of which is null. */
final case class TryPowMod(power: PowMod) extends BatchExpression {
  override def functionName: String = "try_powmod"

  override def children: Seq[Expression] = power.children

  override def dataType: DataType = StructType(Seq(StructField("value", power.dataType), StructField("error", StringType)))

  override def checkInputDataTypes(): org.apache.spark.sql.catalyst.analysis.TypeCheckResult = power.checkInputDataTypes()

  override protected def wrongTypes: String = null

  override def compute(rows: Array[Array[Any]], calls: Calls): Array[Any] = power.compute(rows, calls).map {
    case failure: Failure => failed(failure)
    case value => InternalRow(value, null)
  }

  override protected def failed(failure: Failure): Any = InternalRow(null, UTF8String.fromString(failure.code))

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(power = PowMod(newChildren))
}

/** is_prime(number). */
final case class IsPrime(override val children: Seq[Expression]) extends BatchExpression {
  override def functionName: String = "is_prime"

  override def dataType: DataType = BooleanType

  override protected def wrongTypes: String = BatchExpression.wrongNumbers(children.map(_.dataType))

  override def compute(rows: Array[Array[Any]], calls: Calls): Array[Any] = {
    val column = new Column(rows.map(_(0)), children.head.dataType)
    val answers = new Array[Any](rows.length)
    val places = Array.newBuilder[Int]
    for (i <- rows.indices) {
      val failure = column.read(i)
      if (failure != null) {
        answers(i) = failure
      } else if (column.number(i).signum() < 0) {
        answers(i) = false
      } else {
        places += i
      }
    }
    val kept = places.result()
    if (kept.nonEmpty) {
      val tested = Primes.testList(column.rows(kept), calls.options)
      kept.indices.foreach(k => answers(kept(k)) = tested(k).isPrime)
    }
    answers
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Expression = copy(children = newChildren)
}
